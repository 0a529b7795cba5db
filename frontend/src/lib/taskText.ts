import { priorityOf } from './priority';
import { taskLabel } from './taskKind';
import { visibleText } from './visibleText';

interface NamedTask {
  readonly comm: string | null;
  readonly pid: number | null;
  readonly prio?: number | null;
}

/** `cyclictest-1213 (rt 80)`. */
export function taskText({ comm, pid, prio }: NamedTask): string {
  const set = priorityOf(prio);
  return visibleText(`${taskLabel(comm, pid)}${set === undefined ? '' : ` (${set.text})`}`);
}
