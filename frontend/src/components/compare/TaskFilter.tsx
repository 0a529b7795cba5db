import { visibleText } from '../../lib/visibleText';
import { PRIORITY_CLASSES, type PriorityClass } from '../../viewState/trace';
import type { ViewStateChange } from '../../viewState/useViewState';
import { ClassSwitches } from '../priority/ClassSwitches';
import { Choice } from '../toolbar/Choice';

/** Whose latencies are meant: of tasks of this name, or all; of these classes, or all. */
interface TaskState {
  readonly comm: string;
  readonly priority: readonly PriorityClass[];
}

interface OfferedTask {
  readonly comm: string;
  /** Null where the priority was not recorded. */
  readonly priority_class: PriorityClass | null;
}

interface TaskFilterProps {
  /** A name has an entry for each of its classes. */
  readonly tasks: readonly OfferedTask[];
  readonly state: TaskState;
  readonly setState: (patch: Partial<TaskState>, change: ViewStateChange) => void;
}

/** Whose latencies a page keeps to: those of all tasks, of one class, of one name, which is all that traces share. */
export function TaskFilter({ tasks, state, setState }: TaskFilterProps) {
  const { comm, priority } = state;
  const classes = PRIORITY_CLASSES.filter((name) => tasks.some(({ priority_class: one }) => one === name));
  const names = namesOf(tasks, priority);
  const chooseClass = (chosen: PriorityClass | undefined) => {
    const next = chosen === undefined ? [] : [chosen];
    // A name without tasks of the class would leave nothing to compare.
    const isKept = comm !== '' && namesOf(tasks, next).includes(comm);
    setState({ priority: next, comm: isKept ? comm : '' }, { history: 'push' });
  };
  return (
    <>
      <ClassSwitches classes={classes} chosen={priority} onChosen={chooseClass} />
      {names.length > 1 || comm !== '' ? (
        <Choice name="task" isNarrow>
          <select
            value={comm}
            onChange={({ target }) => setState({ comm: target.value, priority }, { history: 'push' })}
          >
            <option value="">all</option>
            {(comm === '' || names.includes(comm) ? names : [comm, ...names]).map((name) => (
              <option key={name} value={name}>
                {visibleText(name)}
              </option>
            ))}
          </select>
        </Choice>
      ) : null}
    </>
  );
}

/** The names of tasks of some classes, or of all where none is named, each once. */
const namesOf = (tasks: readonly OfferedTask[], of: readonly PriorityClass[]) => [
  ...new Set(
    tasks
      .filter(({ priority_class: one }) => of.length === 0 || (one !== null && of.includes(one)))
      .map(({ comm }) => comm),
  ),
];
