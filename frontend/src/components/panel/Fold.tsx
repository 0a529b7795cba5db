import type { ReactNode } from 'react';
import styles from './Panel.module.css';

interface FoldProps {
  readonly title: string;
  /** After the title, in grey: what is inside. */
  readonly note?: ReactNode;
  /** Where there is nothing else to see, it need not be opened. */
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

/** A stretch of the page that is closed until somebody wants it. */
export function Fold({ title, note, isOpen = false, children }: FoldProps) {
  return (
    <details className={styles.fold} open={isOpen}>
      <summary>
        <h2>{title}</h2>
        {note === undefined ? null : <span className={styles.note}>{note}</span>}
      </summary>
      {children}
    </details>
  );
}
