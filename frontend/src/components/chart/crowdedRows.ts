import type { Brush } from './brush';
import type { LaneItems, LaneRow } from './laneScene';
import { MIN_LEVEL_PX, MIN_WIDTH_PX, type LaneView } from './painter';

/** Intervals of one row as columns, with the box that they are drawn in. */
export interface RowIntervals {
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly top: number;
  readonly height: number;
}

/** With more intervals than this for a pixel, each narrower than one, a row is crowded. */
const MOST_PER_PX = 0.25;

/** Several colours together fill a row that was busy for longer than this share of it. */
const FILLED = 0.5;

/** Whether the intervals of a row may be drawn by their shares: one colour, or several that leave most of it empty. */
export function mayShowShares({ items }: LaneRow): boolean {
  if (items.level !== undefined) return false;
  const first = items.fill.find((fill) => fill !== undefined);
  return items.fill.every((fill) => fill === undefined || fill === first) || filledShare(items) < FILLED;
}

/** How much of the time from its first to its last item a row is filled. */
function filledShare({ start, duration, fill }: LaneItems): number {
  const filled = duration.reduce((sum, own, item) => (fill[item] === undefined ? sum : sum + own), 0);
  const span = (start.at(-1) ?? 0) + (duration.at(-1) ?? 0) - (start[0] ?? 0);
  return filled / Math.max(1, span);
}

/**
 * Whether drawing each interval at least a pixel wide would lie: hundreds of interrupts of 5 µs that a second holds
 * would cover a lane that was busy for 1 % of it.
 */
export function isCrowded(from: Float64Array, to: Float64Array, view: LaneView): boolean {
  const most = view.width * MOST_PER_PX;
  const end = view.start + view.width / view.scale;
  let narrow = 0;
  for (let i = 0; i < from.length; i += 1) {
    const [start, stop] = [from[i] ?? 0, to[i] ?? 0];
    if (stop < view.start || start > end) continue;
    if ((stop - start) * view.scale < MIN_WIDTH_PX) narrow += 1;
  }
  return narrow > most;
}

/**
 * Draws a crowded row as the server draws what it has summed up: each pixel as high as it was busy. The pixels are
 * counted from the scene's zero, so that heights do not shimmer while the window is panned.
 */
export function paintShares({ from, to, top, height }: RowIntervals, brush: Brush, view: LaneView): void {
  const left = view.start * view.scale;
  const first = Math.floor(left);
  const shares = new Float64Array(Math.ceil(view.width) + 1);
  for (let i = 0; i < from.length; i += 1) {
    const start = Math.max(0, (from[i] ?? 0) * view.scale - first);
    const end = Math.min(shares.length, (to[i] ?? 0) * view.scale - first);
    if (end < start) continue;
    for (let pixel = Math.floor(start); pixel < shares.length && pixel <= end; pixel += 1) {
      const busy = Math.min(end, pixel + 1) - Math.max(start, pixel);
      // What began and ended at once leaves a mark, too.
      if (busy > 0 || start === end) shares[pixel] = (shares[pixel] ?? 0) + Math.max(busy, Number.EPSILON);
    }
  }
  shares.forEach((share, pixel) => {
    if (share === 0) return;
    const rise = Math.max(MIN_LEVEL_PX, Math.min(1, share) * height);
    brush.rect(view.x + first + pixel - left, top + height - rise, 1, rise);
  });
}
