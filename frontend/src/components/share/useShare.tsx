import { useState, type ReactNode } from 'react';
import { useNotice } from '../notices/notices';
import { ShareSheet } from './ShareSheet';

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
      say('Link copied. It opens on exactly what you see.');
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
