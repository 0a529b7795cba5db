import type { ReactNode } from 'react';
import styles from './Compare.module.css';

interface SideScrollProps {
  /** What is in it, for those who hear the page. */
  readonly label: string;
  readonly children: ReactNode;
}

/** A table that may be wider than the page, and then scrolls by itself: by pointer and by keys. */
export function SideScroll({ label, children }: SideScrollProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys, too
    <div className={styles.causes} tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  );
}
