import type { ReactNode } from 'react';
import styles from './Panel.module.css';

interface PanelProps {
  readonly title: string;
  /** After the title, in grey: how much there is. */
  readonly note?: ReactNode;
  /** Stand at the right end of the title: what can be done with what is below. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A titled stretch of the page, closed off by a hairline. */
export function Panel({ title, note, actions, children }: PanelProps) {
  return (
    <section className={styles.panel} aria-label={title}>
      <header className={styles.head}>
        <h2>{title}</h2>
        {note === undefined ? null : <span className={styles.note}>{note}</span>}
        {actions === undefined ? null : <span className={styles.actions}>{actions}</span>}
      </header>
      {children}
    </section>
  );
}
