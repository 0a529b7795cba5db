import { useSyncExternalStore } from 'react';

/** Pixels for the names of the lanes. On a phone they leave the lanes three quarters of the width, and are whole when pointed at. */
const GUTTER_PX = { wide: 160, phone: 108 } as const;
/** As in style sheets. */
const PHONE_PX = 640;

/** How wide the column of names is in a browser's window of this width. */
export const gutterFor = (windowPx: number): number =>
  windowPx > PHONE_PX ? GUTTER_PX.wide : GUTTER_PX.phone;

/** Pixels left of all plots of the timeline, known before any of them is laid out. */
export const useGutter = (): number => useSyncExternalStore(subscribe, () => gutterFor(window.innerWidth));

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}
