import type { ReactNode } from 'react';
import { Button } from '../button/Button';
import styles from './SidePanel.module.css';

interface SidePanelProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The details at the right of a page, on a narrow screen at its foot, closed by its cross or by Escape, which the page listens for. */
export function SidePanel({ title, onClose, children }: SidePanelProps) {
  return (
    <aside className={styles.panel} aria-label={title}>
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
