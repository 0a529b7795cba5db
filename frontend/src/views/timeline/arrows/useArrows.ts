import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { arrowsQuery, useArrowKinds, type ArrowKind, type ArrowsRequest } from '../../../api/arrows';
import type { LatencyCase } from '../../../api/latencyTypes';
import type { TimeWindow } from '../../../components/chart/timeWindow';
import type { TimelineState } from '../../../viewState/timeline';
import { tasksOfCase } from '../tasks/shownTasks';
import { arrowsOf, type Arrow, type ArrowPlace } from './arrow';

/** As many as can be told apart. */
const MOST = { selection: 60, case: 40, all: 300 } as const;

interface ArrowParts {
  readonly state: Pick<TimelineState, 'arrows' | 'arrowsOff' | 'cpu'>;
  /** What is selected. */
  readonly place: ArrowPlace | undefined;
  readonly opened: LatencyCase | undefined;
  /** What the lanes show, at rest. */
  readonly window: TimeWindow;
}

export type Arrows = ReturnType<typeof useArrows>;

/** The arrows that are drawn: of the selection and the opened case, or of all that is in view. */
export function useArrows(traceId: string, { state, place, opened, window }: ArrowParts) {
  const kinds = useArrowKinds();
  const isAll = state.arrows === 'all';
  const on = kinds.filter(({ name }) => !state.arrowsOff.includes(name)).map(({ name }) => name);
  const asks = on.length > 0;
  const of = (request: ArrowsRequest | undefined) => ({
    // Not asked for where there is no request; the query wants a key all the same.
    ...arrowsQuery(traceId, { ...(request ?? { start: 0, end: 1, limit: 1 }), kinds: on.join(',') }),
    enabled: request !== undefined && asks,
  });
  const ofSelection = useQuery(of(place && selectionRequest(place)));
  const ofCase = useQuery(of(opened && caseRequest(opened)));
  const ofView = useQuery(of(isAll ? viewRequest(window, state.cpu) : undefined));
  // What is recorded, whatever is switched off.
  const recorded = useQuery(arrowsQuery(traceId, { start: 0, end: 1, limit: 1 })).data?.recorded;
  const [selection, ofOpened, all] = [
    asks && place ? ofSelection.data : undefined,
    asks && opened ? ofCase.data : undefined,
    asks && isAll ? ofView.data : undefined,
  ];
  const arrows = useMemo(() => {
    const found = [selection, ofOpened, all].flatMap((answer) => (answer ? arrowsOf(answer) : []));
    return [...new Map(found.map((arrow) => [arrow.id, arrow])).values()];
  }, [selection, ofOpened, all]);
  return {
    arrows: arrows satisfies readonly Arrow[],
    kinds: recordedKinds(kinds, recorded),
    /** Nothing that an arrow could lead from or to was recorded. */
    isNoneRecorded: recorded?.length === 0,
    /** Of all in view, those that are too many to draw. */
    hiddenCount: Object.values(all?.hidden ?? {}).reduce((sum, count) => sum + count, 0),
  };
}

const recordedKinds = (kinds: readonly ArrowKind[], recorded: readonly string[] | undefined) =>
  kinds.filter(({ name }) => recorded?.includes(name));

/** Of an instant and of a stretch alike, with the nanosecond at its end: there a waiting task is woken. */
export function selectionRequest({ start, end, cpu, pid }: ArrowPlace): ArrowsRequest {
  const lane = pid === undefined ? { cpu: String(cpu ?? 0) } : { pid: String(pid) };
  return { start, end: end + 1, ...lane, limit: MOST.selection };
}

function caseRequest(opened: LatencyCase): ArrowsRequest {
  const tasks = tasksOfCase(opened);
  const lane = tasks.length > 0 ? { pid: tasks.join(',') } : { cpu: String(opened.cpu) };
  return { start: opened.t, end: opened.end + 1, ...lane, limit: MOST.case };
}

function viewRequest({ start, end }: TimeWindow, cpu: readonly number[]): ArrowsRequest {
  const lanes = cpu.length > 0 ? { cpu: cpu.join(',') } : {};
  return { start: Math.floor(start), end: Math.ceil(end), ...lanes, limit: MOST.all };
}
