import { useCallback, useRef, useState } from 'react';

interface Overflow {
  readonly before: boolean;
  readonly after: boolean;
}

type Attach = (element: HTMLElement | null) => (() => void) | undefined;

// Widths are rounded, positions are not.
const SLACK_PX = 2;
/** Of the width in sight, so that something of it stays in sight. */
const STEP = 0.7;

/**
 * On which sides an element holds more than it shows, the callback that is its `ref`, and the way to scroll it by most
 * of its width, to the left by -1 and to the right by 1.
 */
export function useOverflow(): readonly [Overflow, Attach, (direction: -1 | 1) => void] {
  const [overflow, setOverflow] = useState<Overflow>({ before: false, after: false });
  const attached = useRef<HTMLElement>(null);
  const attach = useCallback<Attach>((element) => {
    attached.current = element;
    if (element === null) return undefined;
    const measure = () => {
      const before = element.scrollLeft > SLACK_PX;
      const after = element.scrollLeft + element.clientWidth < element.scrollWidth - SLACK_PX;
      setOverflow((now) => (now.before === before && now.after === after ? now : { before, after }));
    };
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    // What arrives later widens what is in it, not the element.
    const contents = new MutationObserver(measure);
    contents.observe(element, { childList: true, subtree: true, characterData: true });
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      sizes.disconnect();
      contents.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);
  const scroll = (direction: -1 | 1) =>
    attached.current?.scrollBy({ left: direction * STEP * attached.current.clientWidth });
  return [overflow, attach, scroll];
}
