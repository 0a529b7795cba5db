import { spanOf, type TimeWindow } from './timeWindow';
import { useEffect, useState } from 'react';

/** A stretch to ask the server for, and the pixels that it will be drawn on. */
export interface LaneStretch {
  readonly start: number;
  readonly end: number;
  readonly width: number;
}

/** The most columns that the server answers with. */
const MOST_COLUMNS = 5000;

/**
 * What to load in order to show `window` on `width` pixels: about a screen more than is seen, on a grid, so that
 * small pans and zooms ask for the same stretch again and find it in memory. Steps of the grid are a quarter of a
 * screen and of the zoom a factor of √2, which bounds what is loaded to three times what is drawn.
 */
export function laneStretch(window: TimeWindow, domain: TimeWindow, width: number): LaneStretch {
  const span = Math.max(1, spanOf(window));
  const level = 2 ** (Math.ceil(Math.log2(span) * 2 - 1e-9) / 2);
  const step = level / 4;
  const cell = Math.floor(window.start / step) * step;
  const start = Math.max(domain.start, Math.floor(cell - step));
  const end = Math.min(domain.end, Math.ceil(cell + 6 * step));
  // Dense enough for the narrowest window of this level, not only for this one.
  const perPixel = level / Math.SQRT2 / Math.max(1, width);
  const columns = Math.ceil((end - start) / perPixel);
  return { start, end, width: Math.min(MOST_COLUMNS, Math.max(2, columns)) };
}

/** The stretches beside `stretch`, which a pan reaches next. */
export function neighbourWindows(window: TimeWindow, domain: TimeWindow): readonly TimeWindow[] {
  const span = spanOf(window);
  return [
    { start: window.start - span / 2, end: window.end - span / 2 },
    { start: window.start + span / 2, end: window.end + span / 2 },
  ].filter((beside) => beside.start < domain.end && beside.end > domain.start && span < spanOf(domain));
}

const SETTLE_MS = 60;

/**
 * The stretch to load for what is in sight; follows a moving window only once it has rested for a moment. The first
 * width that is known counts at once.
 */
export function useLaneStretch(window: TimeWindow, domain: TimeWindow, width: number): LaneStretch {
  const wanted = laneStretch(window, domain, width);
  const [settled, setSettled] = useState<LaneStretch>();
  if (settled === undefined && width > 0) setSettled(wanted);
  const { start, end, width: columns } = wanted;
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ start, end, width: columns }), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [start, end, columns]);
  return settled ?? wanted;
}
