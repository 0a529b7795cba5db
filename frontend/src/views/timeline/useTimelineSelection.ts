import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, type RefObject } from 'react';
import type { TraceEvent } from '../../api/events';
import { timelineQuery } from '../../api/lanes';
import type { LaneChartHandle, LaneHit } from '../../components/chart/LaneChart';
import { centreWindow, type TimeWindow } from '../../components/chart/timeWindow';
import type { TraceWindow } from '../../components/chart/useTraceWindow';
import { ns } from '../../lib/ns';
import type { TimelineState } from '../../viewState/timeline';
import type { SetViewState } from '../../viewState/useViewState';
import type { SliceId } from '../../viewState/itemIds';
import { sliceOfEvent } from './slice/sliceOfEvent';
import { findSlice, firstAt, isInSight, neighbourOf, sliceIdOf, type Direction } from './selection';
import type { TimelineData } from './useTimeline';

interface SelectionParts {
  readonly traceId: string;
  readonly state: TimelineState;
  readonly setState: SetViewState<TimelineState>;
  readonly timeline: TimelineData;
  readonly view: TraceWindow;
  readonly hovered: LaneHit | undefined;
  readonly chart: RefObject<LaneChartHandle | null>;
}

const middleOf = ({ start, end }: TimeWindow) => Math.round((start + end) / 2);

/** What is selected: where it is drawn, what a click makes of it, and where the arrow keys lead. */
export function useTimelineSelection(parts: SelectionParts) {
  const { traceId, state, setState, timeline, view, hovered, chart } = parts;
  const { lanes, answer } = timeline;
  const selected = useMemo(
    () => (state.slice && lanes ? findSlice(lanes, state.slice) : undefined),
    [lanes, state.slice],
  );
  const pick = (hit: LaneHit | undefined) => {
    const slice = hit && lanes && sliceIdOf(lanes, hit);
    setState({ slice, area: undefined, event: undefined }, { history: 'push' });
  };
  const centre = (at: number) => {
    const { window, move } = view.live;
    if (at < window.start || at >= window.end) move(centreWindow(window, at, view.domain));
  };
  const client = useQueryClient();
  const newest = useRef(0);
  const select = ({ cpu, t }: TraceEvent, slice: SliceId | undefined) => {
    const event = { cpu: cpu ?? 0, t: ns(t) };
    setState({ event, slice, area: undefined, events: 'shown' }, { history: 'push' });
    centre(t);
  };
  const pickEvent = async (event: TraceEvent) => {
    newest.current += 1;
    const mine = newest.current;
    select(event, undefined);
    const slice = await findSliceOf(client, traceId, event);
    // Another one may have been picked since.
    if (mine === newest.current && slice) setState({ slice });
  };
  /** Leads to an event of the selected slice, which stays selected. */
  const showEvent = (event: TraceEvent) => select(event, state.slice);
  const row = selected?.row;
  useEffect(() => {
    if (row !== undefined) chart.current?.reveal(row);
  }, [chart, row]);
  const step = (direction: Direction) => {
    if (lanes === undefined || answer === undefined) return;
    const { window } = view.live;
    // Of a slice that began before what is in sight, the neighbours in sight are meant.
    const from = selected ? { ...selected, at: Math.max(selected.at, window.start) } : hovered;
    const next = from
      ? neighbourOf(lanes, answer, from, direction)
      : firstAt(lanes, answer, middleOf(state.area ?? window));
    if (next === undefined) return;
    setState({ slice: sliceIdOf(lanes, next), area: undefined, event: undefined });
    if (!isInSight(lanes, next, window)) centre(next.at);
  };
  return { selected, pick, pickEvent, showEvent, step };
}

/** The slice that an event is about, whatever the lanes show. */
async function findSliceOf(client: QueryClient, traceId: string, event: TraceEvent) {
  const { cpu, t } = event;
  // Columns of a nanosecond or so, so that single slices come back and no buckets.
  const around = { start: Math.max(0, t - 1), end: t + 1, width: 1000, lanes: `cpu${cpu}` };
  const answer = await client.fetchQuery(timelineQuery(traceId, around)).catch(() => undefined);
  return answer && sliceOfEvent(answer, event);
}
