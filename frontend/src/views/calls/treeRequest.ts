import type { CallTreeRequest } from '../../api/calls';
import type { CallsState } from '../../viewState/calls';

/** Which calls the page merges: those of its window, CPUs and tasks, in wall time or CPU time. */
export function treeRequest({ window, cpu, pid, time }: CallsState): Omit<CallTreeRequest, 'invert'> {
  return { start: window?.start, end: window?.end, cpu, pid, time };
}
