import { useCallback, useLayoutEffect, useRef, type RefObject } from 'react';

/** Gives what the selector finds the focus as soon as it is there: a row that is out of sight may not be yet. */
export function useFocusLater(box: RefObject<HTMLElement | null>): (selector: string) => void {
  const wanted = useRef<string>(undefined);
  useLayoutEffect(() => {
    const found =
      wanted.current === undefined ? null : box.current?.querySelector<HTMLElement>(wanted.current);
    if (!found) return;
    found.focus();
    wanted.current = undefined;
  });
  return useCallback((selector) => {
    wanted.current = selector;
  }, []);
}
