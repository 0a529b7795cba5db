import { useEffect, useRef } from 'react';
import { Dialog } from '../dialog/Dialog';
import styles from './ShareSheet.module.css';

/** The link to copy by hand, where the browser keeps the clipboard to itself. */
export function ShareSheet({ onClose }: { readonly onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <Dialog title="Link to what is on the screen" onClose={onClose}>
      <input ref={field} className={styles.link} readOnly value={window.location.href} aria-label="Link" />
      <p className={styles.hint}>
        The clipboard is for pages over TLS only. The link is selected: copy it with Ctrl C.
      </p>
    </Dialog>
  );
}
