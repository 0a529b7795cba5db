import { taskLabel } from '../../../lib/taskKind';
import { taskText } from '../../../lib/taskText';
import { visibleText } from '../../../lib/visibleText';
import styles from '../Details.module.css';

interface TaskButtonProps {
  readonly task: {
    readonly comm: string | null;
    readonly pid: number | null;
    readonly prio?: number | null;
  };
  readonly onTask: (pid: number) => void;
}

/** `cyclictest-1213 (rt 80)`, which leads to its lane; the idle tasks of all CPUs have none. */
export function TaskButton({ task, onTask }: TaskButtonProps) {
  const { comm, pid } = task;
  const text = taskText(task);
  if (pid === null || pid === 0) return <span className={styles.code}>{text}</span>;
  return (
    <button
      type="button"
      className={styles.event}
      title={`Show the lane of ${visibleText(taskLabel(comm, pid))}`}
      onClick={() => onTask(pid)}
    >
      {text}
    </button>
  );
}
