import type { ReactNode } from 'react';
import styles from './Choice.module.css';

interface ChoiceProps {
  readonly name: string;
  /** What it offers may be long names, which are cut sooner. */
  readonly isNarrow?: boolean;
  /** The select, or the input. */
  readonly children: ReactNode;
}

/** One of several things to choose, with its name before it. */
export function Choice({ name, isNarrow = false, children }: ChoiceProps) {
  return (
    <label className={isNarrow ? `${styles.choice} ${styles.narrow}` : styles.choice}>
      {name}
      {children}
    </label>
  );
}
