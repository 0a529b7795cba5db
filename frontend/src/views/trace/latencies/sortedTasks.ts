import type { LatencyTask } from '../../../api/latencyTypes';
import { taskLabel } from '../../../lib/taskKind';
import type { TaskSort } from '../../../viewState/trace';

type SortedBy = Exclude<TaskSort, `-${string}`>;

/** What comes first where it is larger; the priority is as the server sorted them, by class first. */
const SIZES: Record<Exclude<SortedBy, 'task' | 'priority'>, (task: LatencyTask) => number> = {
  worst: ({ worst }) => worst.duration_ns,
  count: ({ count }) => count,
};

/** The tasks in the order that is asked for; among equals, that of the server: by priority, then by the worst case. */
export function sortedTasks(tasks: readonly LatencyTask[], sort: TaskSort): readonly LatencyTask[] {
  const isDescending = sort.startsWith('-');
  const name = (isDescending ? sort.slice(1) : sort) as SortedBy; // what follows the sign is one of them
  if (name === 'priority') return isDescending ? tasks : tasks.toReversed();
  const direction = isDescending ? -1 : 1;
  if (name === 'task') return tasks.toSorted((one, other) => direction * byName(one, other));
  const size = SIZES[name];
  return tasks.toSorted((one, other) => direction * (size(one) - size(other)));
}

const byName = (one: LatencyTask, other: LatencyTask) =>
  taskLabel(one.comm, one.pid).localeCompare(taskLabel(other.comm, other.pid), 'en', { numeric: true });
