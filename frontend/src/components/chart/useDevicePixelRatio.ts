import { useSyncExternalStore } from 'react';

/** The screen's pixel ratio; changes when the page is zoomed or moved to another screen. */
export function useDevicePixelRatio(): number {
  return useSyncExternalStore(subscribe, () => window.devicePixelRatio);
}

function subscribe(listener: () => void): () => void {
  // A zoom fires `resize`; a move to another screen at the same size only changes the media query.
  const query = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
  query.addEventListener('change', listener);
  window.addEventListener('resize', listener);
  return () => {
    query.removeEventListener('change', listener);
    window.removeEventListener('resize', listener);
  };
}
