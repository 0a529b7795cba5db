import styles from './TraceSkeleton.module.css';

/** Holds the place of the head and the facts until they arrive, so that nothing jumps. */
export function TraceSkeleton() {
  return (
    <div className={styles.skeleton} role="status" aria-label="Loading the trace">
      <span />
      <span />
    </div>
  );
}
