import type { ResultAxes, ResultAxis } from './resultAxes';
import type { Place } from './resultPlot';

/** Where something is, in pixels from the left lower corner of the plot, or its size. */
export interface Pixels {
  readonly x: number;
  readonly y: number;
}

/** The part of an axis below a value. */
export const shareOf = (value: number, { min, max }: ResultAxis) => (value - min) / (max - min);

/**
 * The place nearest to the pointer. Lines and bars are read at the nearest value along the bottom, wherever the pointer is
 * above it; of points, and of several rows at one value, the nearest is meant.
 */
export function placeAt(
  places: readonly Place[],
  axes: ResultAxes,
  size: Pixels,
  pointer: Pixels,
  isPoints: boolean,
): number | undefined {
  let nearest: number | undefined;
  let [leastAside, leastAway] = [Infinity, Infinity];
  for (const [at, { x, values }] of places.entries()) {
    const aside = Math.abs(shareOf(x, axes.x) * size.x - pointer.x);
    for (const value of values) {
      if (value === undefined) continue;
      const away = Math.hypot(aside, shareOf(value, axes.y) * size.y - pointer.y);
      const isNearer = isPoints
        ? away < leastAway
        : aside < leastAside || (aside === leastAside && away < leastAway);
      if (isNearer) [nearest, leastAside, leastAway] = [at, aside, away];
    }
  }
  return nearest;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -20,
  PageDown: 20,
  Home: -Infinity,
  End: Infinity,
};

/** The place that a key leads to from another one, at first to an end; nothing for keys that lead nowhere. */
export function placeByKey(key: string, at: number | undefined, count: number): number | undefined {
  const by = STEPS[key];
  if (by === undefined || count === 0) return undefined;
  const from = at ?? (by > 0 ? -1 : count);
  return Math.max(0, Math.min(count - 1, from + by));
}
