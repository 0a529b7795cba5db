import { useQuery } from '@tanstack/react-query';
import { tasksQuery } from '../../../api/latencies';
import { Switch, SwitchGroup } from '../../../components/toolbar/Toolbar';
import { taskText } from '../../../lib/taskText';
import type { SetViewState } from '../../../viewState/useViewState';
import type { TimelineState } from '../../../viewState/timeline';
import styles from './TaskLaneChoice.module.css';

/** The server draws no more lanes of tasks at once. */
const MOST_TASKS = 64;

interface TaskLaneChoiceProps {
  readonly traceId: string;
  readonly state: TimelineState;
  readonly setState: SetViewState<TimelineState>;
}

/** The tasks that have lanes of their own: each goes with a click, and others come from a list. */
export function TaskLaneChoice({ traceId, state, setState }: TaskLaneChoiceProps) {
  const tasks = useQuery(tasksQuery(traceId)).data?.items ?? [];
  const { tasks: chosen } = state;
  const choose = (next: readonly number[]) => setState({ tasks: next }, { history: 'push' });
  const rest = tasks.filter(({ pid }) => pid !== null && pid !== 0 && !chosen.includes(pid));
  const nameOf = (pid: number) => {
    const known = tasks.find((task) => task.pid === pid);
    return known ? taskText(known) : `pid ${pid}`;
  };
  if (tasks.length === 0 && chosen.length === 0) return null;
  return (
    <SwitchGroup name="Tasks">
      {chosen.map((pid) => (
        <Switch key={pid} isOn onClick={() => choose(chosen.filter((other) => other !== pid))}>
          {nameOf(pid)} ✕
        </Switch>
      ))}
      {rest.length > 0 && chosen.length < MOST_TASKS && (
        <select
          className={styles.add}
          aria-label="Add the lane of a task"
          value=""
          onChange={({ target }) => choose([...chosen, Number(target.value)].toSorted((a, b) => a - b))}
        >
          <option value="">+ task</option>
          {rest.map((task) => (
            <option key={task.pid} value={task.pid ?? ''}>
              {taskText(task)}
            </option>
          ))}
        </select>
      )}
    </SwitchGroup>
  );
}
