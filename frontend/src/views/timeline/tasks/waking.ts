import { useQuery } from '@tanstack/react-query';
import { instantQuery, type TraceEvent } from '../../../api/events';
import type { SliceId } from '../../../viewState/itemIds';

/** The events of the scheduler that make a sleeping task runnable, the earliest first. */
const WAKINGS = ['sched_waking', 'sched_wakeup', 'sched_wakeup_new'];

/** The event that woke the task where a selected slice of its lane begins; nothing where none did. */
export function useWaking(traceId: string, slice: SliceId | undefined): TraceEvent | undefined {
  const pid = slice?.pid;
  const events = useQuery({ ...instantQuery(traceId, slice?.t ?? 0), enabled: pid !== undefined });
  return pid === undefined ? undefined : wakingOf(events.data ?? [], pid);
}

/** The first event that wakes this task. */
export function wakingOf<E extends Pick<TraceEvent, 'event' | 'args'>>(
  events: readonly E[],
  pid: number,
): E | undefined {
  const wakings = events.filter(({ event, args }) => WAKINGS.includes(event) && args['pid'] === pid);
  return wakings.toSorted((a, b) => WAKINGS.indexOf(a.event) - WAKINGS.indexOf(b.event))[0];
}
