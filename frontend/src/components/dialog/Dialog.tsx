import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Button } from '../button/Button';
import styles from './Dialog.module.css';

interface DialogProps {
  readonly title: string;
  /** For tables: as wide as the screen has room. */
  readonly isWide?: boolean;
  /** Without a head: the title is only for those who hear it, and what is inside says for itself what it is. */
  readonly isBare?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A modal sheet over the page, open as long as it is rendered. The browser's own dialog element traps the focus,
 * closes on Escape and gives the focus back.
 */
export function Dialog({ title, isWide = false, isBare = false, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    // A click beside the dialog closes it, as Escape does; React does not know the attribute yet.
    dialog?.setAttribute('closedby', 'any');
    if (dialog?.open === false) dialog.showModal();
    // The browser gives the focus back only to a dialog that is closed, not to one that is taken away.
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const hasGivenFocus = useRef(false);
  // After every rendering, because what takes the focus may be loaded after the dialog has opened.
  useEffect(() => {
    if (hasGivenFocus.current) return;
    const taker = element.current?.querySelector<HTMLElement>('[data-takes-focus=true]');
    taker?.focus();
    hasGivenFocus.current = taker instanceof HTMLElement;
  });
  return (
    <dialog
      ref={element}
      className={styles.dialog}
      data-wide={isWide}
      aria-labelledby={titleId}
      // On the way to closing by Escape. The browser says that it has closed only later, and until then the keys
      // would go to a field that is no longer visible.
      onCancel={({ target, currentTarget }) => target === currentTarget && onClose()}
      onClose={onClose}
    >
      <header className={isBare ? 'unseen' : styles.head}>
        <h2 id={titleId}>{title}</h2>
        {!isBare && (
          <Button look="bare" label="Close" onClick={onClose}>
            ✕
          </Button>
        )}
      </header>
      {isBare ? children : <div className={styles.body}>{children}</div>}
    </dialog>
  );
}
