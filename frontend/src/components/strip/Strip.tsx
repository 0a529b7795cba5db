import type { ReactNode } from 'react';
import styles from './Strip.module.css';

interface StripProps {
  /** The most important first: where there is little room, the last ones are left out. */
  readonly children: ReactNode;
  /** What has its place at the right, whatever is pointed at. */
  readonly aside?: ReactNode;
  /** For tests, which read exact values here. */
  readonly testId?: string;
  /** There are facts at all times: on a phone they have their two lines, and cover nothing. */
  readonly isNeverEmpty?: boolean;
}

/** One line under a plot for what is pointed at: always in the same place and of the same height. */
export function Strip({ children, aside, testId, isNeverEmpty = false }: StripProps) {
  return (
    <div className={styles.strip} data-full={isNeverEmpty || undefined} aria-live="off" data-testid={testId}>
      <div className={styles.line}>
        <div className={styles.facts}>{children}</div>
        {aside}
      </div>
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

interface HintProps {
  readonly children: ReactNode;
  /** The same for who has no mouse and no keys, in as many words as a phone has room for. */
  readonly touch?: string;
}

export function Hint({ children, touch }: HintProps) {
  if (touch === undefined) return <span className={styles.hint}>{children}</span>;
  return (
    <span className={styles.hint}>
      <span className={styles.byMouse}>{children}</span>
      <span className={styles.byTouch}>{touch}</span>
    </span>
  );
}
