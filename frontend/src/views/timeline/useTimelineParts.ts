import { useCallback, useMemo, useRef, useState } from 'react';
import type { Trace } from '../../api/types';
import type { LaneChartHandle, LaneHit } from '../../components/chart/LaneChart';
import { useTraceWindow } from '../../components/chart/useTraceWindow';
import { timelineState } from '../../viewState/timeline';
import { useViewState } from '../../viewState/useViewState';
import { placeOf, placeOfCase } from './arrows/place';
import { useArrows } from './arrows/useArrows';
import { useFollowArrow } from './arrows/useFollowArrow';
import { askedCpus, cpusInSight, firstCpus } from './lanes/cpusInSight';
import { useLaneArrangement } from './lanes/useLaneArrangement';
import { useHits } from './hits/useHits';
import { useCases } from './cases/useCases';
import { useShownTasks } from './tasks/shownTasks';
import { useRevealNewTask } from './tasks/useRevealNewTask';
import { MOST_TASK_LANE_PX } from '../../components/lanes/timelineScene';
import { useTimeline, type PlotSize } from './useTimeline';
import { useTimelineKeys } from './useTimelineKeys';
import { useTimelineSelection } from './useTimelineSelection';
import type { LaneMark } from '../../components/chart/LaneOverlay';
import { useClock } from '../../components/clock/useClock';
import type { Clock } from '../../lib/clock';
import { ns, type Ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';

const NO_NOTES: readonly never[] = [];

const FEW_EVENTS = 40;

/** So many that their list can use whatever room it gets. */
export const hasManyEvents = ({ event_count: count }: Trace): boolean => count === null || count > FEW_EVENTS;

/** A long list of events has better use for a wall than a row of tasks, which is read by its colours and one line of text. */
const mostTaskPx = (trace: Trace) => (hasManyEvents(trace) ? 192 : MOST_TASK_LANE_PX);

export type TimelineParts = ReturnType<typeof useTimelineParts>;

/** What the parts of the page share: its address, the window, what it shows, and what is picked or pointed at. */
export function useTimelineParts(trace: Trace, size: PlotSize) {
  const [state, setState] = useViewState(timelineState);
  const [hovered, setHovered] = useState<LaneHit>();
  const [eventAt, setEventAt] = useState<number>();
  const chart = useRef<LaneChartHandle>(null);
  const view = useTraceWindow(trace.duration_ns, state.window, setState);
  const cases = useCases(trace, state, setState, view);
  const { cpu, hide } = state;
  const [inSight, setInSight] = useState(() => firstCpus(trace.cpu_count, cpu));
  const onlyCpus = useMemo(() => inSight && askedCpus(inSight, cpu), [inSight, cpu]);
  const shownTasks = useShownTasks(state.tasks, cases.opened.data);
  const { isPending, isPlaceholderData } = cases.opened;
  const areTasksKnown = state.case === '' || !(isPending || isPlaceholderData);
  const timeline = useTimeline(
    trace,
    view.domain,
    view.live.window,
    size,
    { cpu, hide, tasks: shownTasks, areTasksKnown },
    state,
    onlyCpus,
    state.events === 'shown' ? mostTaskPx(trace) : undefined,
  );
  const selection = useTimelineSelection({
    traceId: trace.id,
    state,
    setState,
    timeline,
    view,
    hovered,
    chart,
  });
  const { selected, step } = selection;
  const { lanes, scene } = timeline;
  const showRows = useCallback(
    (first: number, last: number) =>
      setInSight((known) => known && lanes && cpusInSight(known, lanes, first, last)),
    [lanes],
  );
  useRevealNewTask(state.tasks, lanes, chart);
  const place = placeOf(state, lanes, selected);
  const arrows = useArrows(trace.id, { state, place, opened: cases.opened.data, window: view.settled });
  const opened = cases.opened.data;
  // Where nothing is selected, the keys follow what led to the opened case.
  const from = place ?? (opened && placeOfCase(opened));
  const goAlong = useFollowArrow({
    traceId: trace.id,
    arrows,
    place: from,
    state,
    setState,
    view,
    lanes,
    chart,
  });
  const row = selected?.row ?? hovered?.row;
  const lanePx = scene?.rows.find((_, index) => lanes?.[index]?.isNested === false)?.height;
  const arrangement = useLaneArrangement({ state, setState, lanes, view, row, lanePx });
  const hits = useHits(trace, state, view, size.width, selection.pickEvent);
  useTimelineKeys({
    view,
    state,
    setState,
    selected,
    scene,
    hovered,
    step,
    widthPx: size.width,
  });

  const clock = useClock();
  const { a, b, event } = state;
  const marked = eventAt ?? event?.t;
  const notes = timeline.answer?.notes ?? NO_NOTES;
  const marks = useMemo(
    () => timelineMarks({ a, b, event: marked, notes }, clock),
    [a, b, marked, notes, clock],
  );
  return {
    trace,
    state,
    setState,
    view,
    timeline,
    shownTasks,
    arrows,
    place,
    goAlong,
    cases,
    selection,
    selected,
    arrangement,
    hits,
    marks,
    chart,
    hovered,
    setHovered,
    setEventAt,
    showRows,
  };
}

interface MarkParts {
  readonly a: Ns | undefined;
  readonly b: Ns | undefined;
  /** Instant of the event that is pointed at or selected in the table. */
  readonly event: number | undefined;
  readonly notes: readonly { readonly t: number; readonly text: string }[];
}

/** The lines across the lanes: notes of the file, the event of the table, and the cursors with what is between them. */
function timelineMarks({ a, b, event, notes }: MarkParts, clock: Clock): readonly LaneMark[] {
  const between = a !== undefined && b !== undefined ? ` ${clock.duration(ns(Math.abs(b - a)))}` : '';
  return [
    ...notes.map((note, index): LaneMark => ({
      id: `note ${index}`,
      at: note.t,
      kind: 'note',
      text: visibleText(note.text),
    })),
    ...(event === undefined ? [] : [{ id: 'event', at: event, kind: 'event' } as const]),
    ...(a === undefined ? [] : [{ id: 'a', at: a, kind: 'cursor', text: 'A' } as const]),
    ...(b === undefined ? [] : [{ id: 'b', at: b, kind: 'cursor', text: `B${between}` } as const]),
  ];
}
