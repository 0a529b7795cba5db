import type { ReactNode } from 'react';
import styles from './KeyHint.module.css';

interface KeyHintProps {
  readonly children: string;
}

/** The key that does what the button or link before it does. */
export function KeyHint({ children }: KeyHintProps) {
  return <kbd className={styles.hint}>{children}</kbd>;
}

/** The part of a sentence that is about keys. */
export function KeyWords({ children }: { readonly children: ReactNode }) {
  return <span className={styles.words}>{children}</span>;
}
