import type { ReactNode } from 'react';
import { Button } from '../button/Button';
import styles from './SidePanel.module.css';

interface SidePanelProps {
  readonly title: string;
  /** For tables: names beside four numbers. */
  readonly isWide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The details at the right of a page, closed by its cross or by Escape, which the page listens for. */
export function SidePanel({ title, isWide = false, onClose, children }: SidePanelProps) {
  return (
    <aside className={styles.panel} data-wide={isWide} aria-label={title}>
      <header className={styles.head}>
        <h2>{title}</h2>
        <Button look="bare" label="Close (Esc)" onClick={onClose}>
          ✕
        </Button>
      </header>
      <div className={styles.body}>{children}</div>
    </aside>
  );
}
