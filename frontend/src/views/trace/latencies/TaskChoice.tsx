import type { LatencyTask } from '../../../api/latencyTypes';
import { ClassSwitches } from '../../../components/priority/ClassSwitches';
import { taskText } from '../../../lib/taskText';
import { PRIORITY_CLASSES, type TraceState } from '../../../viewState/trace';
import type { SetViewState } from '../../../viewState/useViewState';
import styles from './TaskChoice.module.css';

interface TaskChoiceProps {
  readonly tasks: readonly LatencyTask[];
  readonly state: TraceState;
  readonly setState: SetViewState<TraceState>;
}

/** Whose latencies the page is about: those of all tasks, of one scheduling class, or of one task. */
export function TaskChoice({ tasks, state, setState }: TaskChoiceProps) {
  const classes = PRIORITY_CLASSES.filter((name) => tasks.some(({ priority_class: one }) => one === name));
  const isKnown = state.task === undefined || tasks.some(({ pid }) => pid === state.task);
  if (tasks.length < 2 && state.task === undefined && state.priority === 'any') return null;
  const choose = (patch: Partial<TraceState>) => setState({ ...patch, band: undefined }, { history: 'push' });
  return (
    <div className={styles.choice}>
      <ClassSwitches
        classes={classes}
        chosen={state.priority === 'any' ? [] : [state.priority]}
        onChosen={(chosen) =>
          choose(chosen === undefined ? { priority: 'any' } : { priority: chosen, task: undefined })
        }
      />
      <label className={styles.task}>
        task
        <select
          value={state.task ?? ''}
          onChange={({ target }) =>
            choose({ task: target.value === '' ? undefined : Number(target.value), priority: 'any' })
          }
        >
          <option value="">all</option>
          {!isKnown && <option value={state.task}>{`pid ${state.task}`}</option>}
          {eachPidOnce(tasks).map((task) => (
            <option key={task.pid} value={task.pid ?? ''}>
              {taskText(task)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** The idle tasks of all CPUs have one pid, by which they are chosen together. */
const eachPidOnce = (tasks: readonly LatencyTask[]) =>
  tasks.filter(({ pid }, at) => pid !== null && tasks.findIndex((one) => one.pid === pid) === at);
