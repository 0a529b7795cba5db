import type { TraceEvent } from '../../../api/events';
import type { TimelineLane } from '../../../components/lanes/laneAnswer';
import { isOfOneTask } from '../../../components/lanes/taskLanes';

/** A slice, as far as it matters for the events that begin and end it. */
export interface SliceSpan {
  readonly kind: string;
  /** Absent on the lane of a task, which may be on any CPU. */
  readonly cpu?: number;
  /** Of the task that runs in it, or whose lane it is on. */
  readonly pid?: number;
  readonly start: number;
  readonly end: number;
}

type Side = 'start' | 'end';
export type BoundEvent = Pick<TraceEvent, 'event' | 'args' | 'cpu' | 't'>;

/** The names of the events that begin and end a kind of slices. Of other kinds it is not known. */
const BOUNDS: Readonly<Record<string, Readonly<Record<Side, RegExp>>>> = {
  sched: { start: /^sched_switch$/, end: /^sched_switch$/ },
  task: { start: /^sched_(?:switch|wak)/, end: /^sched_(?:switch|wak)/ },
  irq: { start: /^(?!softirq_).*_entry$/, end: /^(?!softirq_).*_exit$/ },
  softirq: { start: /^softirq_entry$/, end: /^softirq_exit$/ },
  irqsoff: { start: /^irq_disable$/, end: /^irq_enable$/ },
  preemptoff: { start: /^preempt_disable$/, end: /^preempt_enable$/ },
  idle: { start: /^cpu_idle$/, end: /^cpu_idle$/ },
};

/** The span of an item of a lane of single slices. */
export function spanOfSlice(lane: TimelineLane, index: number, pid: number | null | undefined): SliceSpan {
  const start = lane.t[index] ?? 0;
  return {
    kind: lane.kind,
    ...(!isOfOneTask(lane) && lane.cpu !== null && { cpu: lane.cpu }),
    ...(typeof pid === 'number' && { pid }),
    start,
    end: start + (lane.duration_ns[index] ?? 0),
  };
}

/** Whether an event of this name, at this end of a slice, is what begins or ends it. */
export function isBound(span: SliceSpan, side: Side, event: BoundEvent): boolean {
  if (event.t !== span[side] || (span.cpu !== undefined && event.cpu !== span.cpu)) return false;
  if (BOUNDS[span.kind]?.[side].test(event.event) !== true) return false;
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
