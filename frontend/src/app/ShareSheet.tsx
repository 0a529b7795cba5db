import { useEffect, useRef } from 'react';
import { Dialog } from '../components/dialog/Dialog';
import styles from './ShareSheet.module.css';

/** Puts the page's address on the clipboard; false where the browser does not allow it. */
export async function copyLink(): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(window.location.href);
    return true;
  } catch {
    // Browsers lend the clipboard only to pages from this machine or over TLS.
    return false;
  }
}

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
