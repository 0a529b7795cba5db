import styles from './Calls.module.css';

interface PidFieldProps {
  readonly pids: readonly number[];
  readonly onPids: (pids: readonly number[]) => void;
}

const MOST_PIDS = 256;

/** Which tasks' calls are shown, by pid; empty means all. */
export function PidField({ pids, onPids }: PidFieldProps) {
  const apply = (text: string) => {
    const named = text.match(/\d{1,7}/g)?.map(Number) ?? [];
    onPids([...new Set(named)].slice(0, MOST_PIDS).toSorted((a, b) => a - b));
  };
  return (
    <label>
      <span className={styles.quiet}>pid </span>
      <input
        key={pids.join(',')}
        className={styles.pids}
        defaultValue={pids.join(', ')}
        placeholder="all tasks"
        aria-label="Pids of the tasks to show, such as 1213, 42"
        onBlur={(event) => apply(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
    </label>
  );
}
