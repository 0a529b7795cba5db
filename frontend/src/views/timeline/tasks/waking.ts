import { useQuery } from '@tanstack/react-query';
import { instantQuery, type TraceEvent } from '../../../api/events';
import type { PlannedLane } from '../../../components/lanes/laneModel';
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

/** The rows between which an arrow is drawn, from who woke the task to the task; nothing where one is not in sight. */
export function arrowRows(
  lanes: readonly Pick<PlannedLane, 'cpu' | 'pid' | 'depth'>[],
  wakerCpu: number | null,
  pid: number,
): { readonly from: number; readonly to: number } | undefined {
  const to = lanes.findIndex((lane) => lane.pid === pid && lane.depth === 0);
  const from = lanes.findIndex((lane) => lane.cpu !== null && lane.cpu === wakerCpu);
  return to < 0 || from < 0 ? undefined : { from, to };
}
