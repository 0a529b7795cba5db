import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useNotice } from '../notices/notices';
import { Dialog } from '../dialog/Dialog';
import styles from './useShare.module.css';

interface Share {
  readonly share: () => void;
  /** Belongs on the page: where the browser keeps the clipboard to itself, the link is shown here. */
  readonly sheet: ReactNode;
}

/** Puts the page's address on the clipboard. */
export function useShare(): Share {
  const [isByHand, setByHand] = useState(false);
  const say = useNotice();
  const share = async () => {
    try {
      await navigator.clipboard.writeText(window.location.href);
      say('Link copied. It opens exactly this view.');
    } catch {
      // Browsers lend the clipboard only to pages from this machine or over TLS.
      setByHand(true);
    }
  };
  return {
    share: () => void share(),
    sheet: isByHand ? <ShareSheet onClose={() => setByHand(false)} /> : null,
  };
}

/** The link to copy by hand, where the browser keeps the clipboard to itself. */
function ShareSheet({ onClose }: { readonly onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <Dialog title="Link to this view" onClose={onClose}>
      <input ref={field} className={styles.link} readOnly value={window.location.href} aria-label="Link" />
      <p className={styles.hint}>
        Browsers allow copying only on HTTPS pages. The link is selected: press Ctrl+C to copy it.
      </p>
    </Dialog>
  );
}
