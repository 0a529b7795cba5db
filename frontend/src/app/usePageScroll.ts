import { useRouter, type ParsedLocation } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useMemo, type RefObject } from 'react';

/** A page that has not filled up by then is left where it is. */
const MOST_HELD_MS = 10_000;

/**
 * Begins the page of every path at its top, and one that Back or Forward leads to where it was left. The router's own restoration
 * sets the place once, when a page has begun to draw: most are filled by what the server answers, and too short then.
 */
export function usePageScroll(page: RefObject<HTMLElement | null>, path: string | undefined): void {
  const router = useRouter();
  const left = useMemo(() => new Map<string | undefined, number>(), []);
  useEffect(
    () =>
      router.subscribe('onBeforeLoad', ({ fromLocation }) => {
        if (fromLocation && page.current) left.set(keyOf(fromLocation), page.current.scrollTop);
      }),
    [router, page, left],
  );
  // Before the effects of the page itself, which may lead to one of its sections.
  useLayoutEffect(() => {
    const scroller = page.current;
    if (scroller === null || path === undefined) return undefined;
    return hold(scroller, left.get(keyOf(router.latestLocation)) ?? 0);
  }, [router, page, left, path]);
}

/** What the history knows an entry by. */
const keyOf = ({ state: { __TSR_key: key } }: ParsedLocation) => key;

/** Puts the page at `top`, again whenever more of it has come, until somebody takes over. Returns how to end it. */
function hold(scroller: HTMLElement, top: number): () => void {
  const put = () => {
    scroller.scrollTop = top;
  };
  put();
  if (top === 0) return () => undefined;
  const ending = new AbortController();
  const sizes = new ResizeObserver(put);
  const watch = () => [...scroller.children].forEach((part) => sizes.observe(part));
  const parts = new MutationObserver(watch);
  watch();
  parts.observe(scroller, { childList: true });
  const end = () => {
    sizes.disconnect();
    parts.disconnect();
    ending.abort();
  };
  const timer = window.setTimeout(end, MOST_HELD_MS);
  ending.signal.addEventListener('abort', () => window.clearTimeout(timer));
  for (const act of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    window.addEventListener(act, end, { signal: ending.signal, passive: true, capture: true });
  }
  return end;
}
