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
