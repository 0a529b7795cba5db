import { useCallback, useLayoutEffect, useRef, type RefObject } from 'react';

/** The number of rows in a page of a list. */
const PAGE_ROWS = 12;

/** The row that a key leads to from another one, in a list of `count` rows; nothing for keys that lead nowhere. */
export function nextRowIndex(key: string, at: number, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + PAGE_ROWS,
    PageUp: at - PAGE_ROWS,
    Home: 0,
    End: count - 1,
  };
  const next = steps[key];
  return next === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, next));
}

/** Gives what the selector finds the focus as soon as it is there: a row that is out of sight may not be yet. */
export function useFocusLater(box: RefObject<HTMLElement | null>): (selector: string) => void {
  const pending = useRef<string>(undefined);
  useLayoutEffect(() => {
    const element =
      pending.current === undefined ? null : box.current?.querySelector<HTMLElement>(pending.current);
    if (!element) return;
    element.focus();
    pending.current = undefined;
  });
  return useCallback((selector) => {
    pending.current = selector;
  }, []);
}
