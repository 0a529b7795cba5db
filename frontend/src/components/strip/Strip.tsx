import type { ReactNode } from 'react';
import styles from './Strip.module.css';

interface StripProps {
  readonly children: ReactNode;
  /** For tests, which read exact values here. */
  readonly testId?: string;
}

/** One line under a plot for what is pointed at: always in the same place and of the same height. */
export function Strip({ children, testId }: StripProps) {
  return (
    <div className={styles.strip} aria-live="off" data-testid={testId}>
      <div className={styles.line}>{children}</div>
    </div>
  );
}

interface FactProps {
  readonly name: string;
  readonly children: ReactNode;
}

/** A value with its name in grey before it. */
export function Fact({ name, children }: FactProps) {
  return (
    <span className={styles.fact}>
      <span className={styles.hint}>{name} </span>
      {children}
    </span>
  );
}

/** What the pointed-at thing is called. */
export function Subject({ children }: { readonly children: ReactNode }) {
  return <strong className={styles.subject}>{children}</strong>;
}

export function Hint({ children }: { readonly children: ReactNode }) {
  return <span className={styles.hint}>{children}</span>;
}
