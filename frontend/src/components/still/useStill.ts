import { useEffect, useState } from 'react';

/**
 * `shown` as it was when the pointer went down, until the click is over, and what to spread on the element that shows
 * it: an answer that arrives in that time would put something else under the pointer.
 */
export function useStill<Shown>(shown: Shown): [Shown, { readonly onPointerDownCapture: () => void }] {
  const [held, setHeld] = useState<{ readonly shown: Shown }>();
  const isHeld = held !== undefined;
  useEffect(() => {
    if (!isHeld) return undefined;
    // The click comes after the pointer goes up.
    let timer: number | undefined;
    const release = () => {
      timer = window.setTimeout(() => setHeld(undefined));
    };
    window.addEventListener('pointerup', release);
    window.addEventListener('pointercancel', release);
    // A link that is dragged ends so.
    window.addEventListener('dragend', release);
    return () => {
      window.clearTimeout(timer);
      window.removeEventListener('pointerup', release);
      window.removeEventListener('pointercancel', release);
      window.removeEventListener('dragend', release);
    };
  }, [isHeld]);
  return [held ? held.shown : shown, { onPointerDownCapture: () => setHeld({ shown }) }];
}
