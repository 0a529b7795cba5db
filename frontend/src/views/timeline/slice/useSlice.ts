import { useQuery } from '@tanstack/react-query';
import { instantQuery, wakingsQuery, type TraceEvent } from '../../../api/events';
import { timelineQuery, type TimelineAnswer } from '../../../api/lanes';
import { isOfTasks, type TimelineLane } from '../../../components/lanes/laneAnswer';
import { isOfOneTask } from '../../../components/lanes/taskLanes';
import type { SliceId } from '../../../viewState/itemIds';
import { sliceAt } from '../selection';
import { boundEvent, spanOfSlice, type SliceSpan } from './sliceBounds';

/** A slice with what the server said about it. */
export interface ShownSlice {
  readonly lane: TimelineLane;
  readonly index: number;
  readonly answer: TimelineAnswer;
  readonly span: SliceSpan;
}

/** The slice of that name, whatever the zoom: asked for by itself, so that a permalink needs no lanes for it. */
export function useSlice(traceId: string, id: SliceId | undefined) {
  const t = id?.t ?? 0;
  // Columns of a nanosecond or so, so that single slices come back and no buckets.
  const ofTask = id?.pid === undefined ? {} : { tasks: String(id.pid) };
  const query = useQuery({
    ...timelineQuery(traceId, { start: t, end: t + 1, width: 1000, ...ofTask }),
    enabled: id !== undefined,
  });
  const answer = query.isPlaceholderData ? undefined : query.data;
  return {
    error: query.error,
    isLoaded: answer !== undefined,
    slice: id && answer && shownSlice(answer, id),
  };
}

function shownSlice(answer: TimelineAnswer, id: SliceId): ShownSlice | undefined {
  const found = sliceAt(answer.lanes, id);
  if (found === undefined) return undefined;
  const span = spanOfSlice(found.lane, found.index, taskOf(answer, found)?.pid, answer);
  return { ...found, answer, span };
}

/** The task of a slice: whose lane it is on, or who ran there. */
export function taskOf(
  answer: TimelineAnswer,
  { lane, index }: { readonly lane: TimelineLane; readonly index: number },
) {
  return isOfOneTask(lane) ? lane.task : answer.tasks[lane.task_idx[index] ?? -1];
}

/** The events that begin and end a slice. */
export interface SliceEnds {
  readonly start: TraceEvent | undefined;
  readonly end: TraceEvent | undefined;
}

/** What begins and ends a slice, where it was recorded. */
export function useSliceEnds(traceId: string, span: SliceSpan | undefined): SliceEnds {
  const isThere = span !== undefined;
  const first = useQuery({ ...instantQuery(traceId, span?.start ?? 0), enabled: isThere });
  const last = useQuery({ ...instantQuery(traceId, span?.end ?? 0), enabled: isThere });
  return {
    start: span && boundEvent(first.data ?? [], span, 'start'),
    end: span && boundEvent(last.data ?? [], span, 'end'),
  };
}

/** The tasks that were woken on the CPU of a slice while it lasted, each by the first event that says so. */
export function useWakees(traceId: string, { cpu, start, end }: SliceSpan): readonly TraceEvent[] {
  const query = wakingsQuery(traceId, { cpu: cpu ?? 0, start, end: Math.max(end, start + 1) });
  const wakings = useQuery({ ...query, enabled: cpu !== undefined });
  return wakings.data === undefined ? [] : firstOfEach(wakings.data);
}

/** A waking that is followed by the wakeup of the same task is one. */
export function firstOfEach<E extends Pick<TraceEvent, 'event' | 'args'>>(
  events: readonly E[],
): readonly E[] {
  const waking = new Set<unknown>();
  return events.filter(({ event, args }) => {
    const isNew = !waking.has(args['pid']);
    if (event === 'sched_waking') waking.add(args['pid']);
    else waking.delete(args['pid']);
    return event === 'sched_waking' || isNew;
  });
}

/** What a task that runs waited for before: since when it wanted the CPU, and what woke it. */
export function useWaitBefore(traceId: string, { lane, answer, span }: ShownSlice) {
  const pid = isOfTasks(lane, answer) && span.pid !== 0 ? span.pid : undefined;
  const { start } = span;
  const isThere = pid !== undefined && start > 0;
  const before = { start: start - 1, end: start, width: 1000, lanes: 'task', tasks: String(pid ?? 0) };
  const query = useQuery({ ...timelineQuery(traceId, before), enabled: isThere });
  const waits = query.isPlaceholderData ? undefined : query.data?.lanes.find(({ depth }) => depth === 0);
  const since = waits?.t.at(-1);
  const state = query.data?.symbols[waits?.symbol_idx.at(-1) ?? -1];
  if (!isThere || since === undefined || state === undefined) return undefined;
  return { state, since };
}
