import type { TraceEvent } from '../../../api/events';
import {
  kindOf,
  type SliceKind,
  type TimelineAnswer,
  type TimelineLane,
} from '../../../components/lanes/laneAnswer';
import { isOfOneTask } from '../../../components/lanes/taskLanes';

/** Where and when a slice is, and which events begin and end slices of its kind. */
export interface SliceSpan extends Pick<SliceKind, 'begins' | 'ends'> {
  /** Absent on the lane of a task, which may be on any CPU. */
  readonly cpu?: number;
  /** Of the task that runs in it, or whose lane it is on. */
  readonly pid?: number;
  readonly start: number;
  readonly end: number;
}

type Side = 'start' | 'end';
export type BoundEvent = Pick<TraceEvent, 'event' | 'args' | 'cpu' | 't'>;

/** The span of an item of a lane of single slices. */
export function spanOfSlice(
  lane: TimelineLane,
  index: number,
  pid: number | null | undefined,
  { kinds }: Pick<TimelineAnswer, 'kinds'>,
): SliceSpan {
  const start = lane.t[index] ?? 0;
  const { begins, ends } = kindOf(lane, kinds);
  return {
    begins,
    ends,
    ...(!isOfOneTask(lane) && lane.cpu !== null && { cpu: lane.cpu }),
    ...(typeof pid === 'number' && { pid }),
    start,
    end: start + (lane.duration_ns[index] ?? 0),
  };
}

/** Whether an event of this name, at this end of a slice, is what begins or ends it. */
export function isBound(span: SliceSpan, side: Side, event: BoundEvent): boolean {
  if (event.t !== span[side] || (span.cpu !== undefined && event.cpu !== span.cpu)) return false;
  const bounds = side === 'start' ? span.begins : span.ends;
  if (!bounds.includes(event.event)) return false;
  // Two switches may have one stamp; what interrupts a task does not name it.
  return span.pid === undefined || !NAMES_TASK.test(event.event) || pidAt(event, span, side) === span.pid;
}

const NAMES_TASK = /^sched_/;

/** The task that an event of the scheduler puts on the CPU where a slice begins, or takes from it where it ends. */
function pidAt({ event, args }: BoundEvent, span: SliceSpan, side: Side): unknown {
  if (event !== 'sched_switch') return args['pid'];
  if (span.cpu !== undefined) return args[side === 'start' ? 'next_pid' : 'prev_pid'];
  // The states of a task begin and end both ways.
  return args['next_pid'] === span.pid ? span.pid : args['prev_pid'];
}

/** The first of the events that begins, or ends, the slice; nothing where it was not recorded. */
export function boundEvent<E extends BoundEvent>(
  events: readonly E[],
  span: SliceSpan,
  side: Side,
): E | undefined {
  return events.find((event) => isBound(span, side, event));
}
