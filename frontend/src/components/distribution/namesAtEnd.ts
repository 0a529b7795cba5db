import type { Move, PlotSize } from './curveNames';
import type { DistributionPlot } from './distribution';

const LETTER_PX = 7;
const LINE_PX = 16;
/** Between the end of a curve and its name. */
export const NAME_GAP_PX = 6;
const MOST_PX = 180;
/** Of narrower plots, names would take too much. */
const WIDE_PX = 560;

/**
 * Pixels right of a plot for the names of its curves; none where they are in it. Sorted samples all end at the right edge,
 * where names inside would lie over the steepest part of the curves.
 */
export function roomForNames({ form, curves }: DistributionPlot, widthPx: number): number {
  if (form !== 'shelves' || curves.length < 2 || widthPx < WIDE_PX) return 0;
  const longest = curves.reduce((most, { label }) => Math.max(most, label.length), 0);
  return Math.min(MOST_PX, NAME_GAP_PX + LETTER_PX * longest + NAME_GAP_PX);
}

/** How far names right of the plot move up or down so that each has its line, in the order of the ends of their curves. */
export function movesAtEnd({ curves, y }: DistributionPlot, { height }: PlotSize): readonly Move[] {
  const wanted = curves.map(({ named }) =>
    Math.round((height * (y.max - (named?.[1] ?? y.min))) / (y.max - y.min)),
  );
  const order = wanted.map((_, index) => index).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const tops = [...wanted];
  let above = -Infinity;
  for (const index of order) {
    above = Math.max(wanted[index] ?? 0, above + LINE_PX);
    tops[index] = above;
  }
  let below = Infinity;
  for (const index of order.toReversed()) {
    below = Math.min(tops[index] ?? 0, height, below - LINE_PX);
    tops[index] = below;
  }
  return wanted.map((from, index) => ({ dx: 0, dy: (tops[index] ?? from) - from }));
}
