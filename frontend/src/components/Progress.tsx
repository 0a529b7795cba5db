import styles from './Progress.module.css';

interface ProgressProps {
  /** 0 to 1; absent while it is not known. */
  readonly ratio?: number | undefined;
  readonly label: string;
}

/** A thin bar that fills. */
export function Progress({ ratio, label }: ProgressProps) {
  const percent = ratio === undefined ? undefined : Math.floor(Math.min(1, Math.max(0, ratio)) * 100);
  return (
    <span
      className={styles.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <span className={styles.bar} style={{ width: `${percent ?? 0}%` }} />
    </span>
  );
}
