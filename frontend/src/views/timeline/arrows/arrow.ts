import type { ArrowsAnswer } from '../../../api/arrows';
import { taskText } from '../../../lib/taskText';
import { visibleText } from '../../../lib/visibleText';

/** Where and when an arrow begins or ends. */
export interface ArrowEnd {
  readonly t: number;
  readonly cpu: number;
  readonly pid: number | null;
  /** `cyclictest-1213`, `<idle>`. */
  readonly task: string;
}

/** What an event has caused: a waking the switch to the task, the start of a timer its expiry. */
export interface Arrow {
  readonly id: string;
  readonly kind: string;
  /** The timer's or the work's function, the softirq, the interrupt. */
  readonly what: string;
  readonly from: ArrowEnd;
  readonly to: ArrowEnd;
}

/** The columns of an answer as arrows. */
export function arrowsOf(answer: ArrowsAnswer): readonly Arrow[] {
  const taskOf = (index: number | null | undefined) => {
    const task = answer.tasks[index ?? -1];
    return task === undefined ? 'an unknown task' : taskText(task);
  };
  return answer.kind.map((kind, at): Arrow => {
    const from = {
      t: answer.from_t[at] ?? 0,
      cpu: answer.from_cpu[at] ?? 0,
      pid: answer.from_pid[at] ?? null,
      task: taskOf(answer.from_task_idx[at]),
    };
    const to = {
      t: answer.to_t[at] ?? 0,
      cpu: answer.to_cpu[at] ?? 0,
      pid: answer.to_pid[at] ?? null,
      task: taskOf(answer.to_task_idx[at]),
    };
    const what = visibleText(answer.what[at] ?? '');
    const id = `${kind} ${what} ${answer.from_event[at] ?? ''} ${answer.to_event[at] ?? ''} ${to.pid ?? ''}`;
    return { id, kind, what, from, to };
  });
}

/** A stretch of the lane of a CPU or of a task, or an instant of one. */
export interface ArrowPlace {
  readonly start: number;
  /** After the last nanosecond; the start itself for an instant. */
  readonly end: number;
  readonly cpu?: number;
  readonly pid?: number;
  /** The instant of an event in the stretch of what it is part of: it is caused before, and causes after. */
  readonly at?: number;
}

/** Whether an end of an arrow lies on the lane of a place. */
export const isOnLane = ({ cpu, pid }: ArrowEnd, place: ArrowPlace): boolean =>
  place.pid === undefined ? cpu === place.cpu : pid === place.pid;

export type ArrowSide = 'backward' | 'forward';

/** The end of an arrow at the place from which it is followed, and the end that it leads to. */
export const endsOf = (
  { from, to }: Arrow,
  side: ArrowSide,
): { readonly here: ArrowEnd; readonly there: ArrowEnd } =>
  side === 'forward' ? { here: from, there: to } : { here: to, there: from };

/**
 * The arrows at a place, by side: those that begin in it, and those that end in it. The waiting task is woken
 * where the waiting begins or ends, by an event that lies on another lane.
 */
export function arrowsAt(arrows: readonly Arrow[], place: ArrowPlace, side: ArrowSide): readonly Arrow[] {
  const { start, end, at } = place;
  const isOnSide = ({ t }: ArrowEnd) => at === undefined || (side === 'forward' ? t >= at : t <= at);
  const isIn = (here: ArrowEnd) => here.t >= start && (here.t < end || here.t === start) && isOnSide(here);
  const touches = (arrow: Arrow) => {
    const { here } = endsOf(arrow, side);
    if (isOnLane(here, place) && isIn(here)) return true;
    return side === 'backward' && wakesAt(arrow, place);
  };
  const distance = (arrow: Arrow) => Math.abs(endsOf(arrow, side).here.t - (at ?? start));
  return arrows.filter(touches).toSorted((a, b) => distance(a) - distance(b));
}

/** The waking of the task of a place where its stretch begins or ends. */
const wakesAt = ({ from, to }: Arrow, { pid, start, end }: ArrowPlace): boolean =>
  pid !== undefined && to.pid === pid && (from.t === start || from.t === end);

/** The nearest arrow at a place. One that comes back to where it starts leads nowhere. */
export function nearestArrow(
  arrows: readonly Arrow[],
  place: ArrowPlace,
  side: ArrowSide,
): Arrow | undefined {
  const leads = arrows.filter(({ from, to }) => from.t !== to.t || from.cpu !== to.cpu);
  return arrowsAt(leads, place, side)[0];
}
