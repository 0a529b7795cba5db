import type { ReactNode } from 'react';
import styles from './Panel.module.css';

interface PanelProps {
  readonly title: string;
  /** Stands behind the title, in grey: how much there is. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

/** A titled stretch of the page, closed off by a hairline. */
export function Panel({ title, note, children }: PanelProps) {
  return (
    <section className={styles.panel} aria-label={title}>
      <header className={styles.head}>
        <h2>{title}</h2>
        {note === undefined ? null : <span className={styles.note}>{note}</span>}
      </header>
      {children}
    </section>
  );
}
