import { ns } from '../../lib/ns';
import type { NsRange } from '../../viewState/fields';
import { durationAt, place } from '../series/durationAxis';
import { readCurve, type DistributionPlot } from './distribution';

/** The part of an axis that a range takes, from 0 at its beginning to 1 at its end. */
export interface Stretch {
  readonly axis: 'x' | 'y';
  readonly from: number;
  readonly to: number;
}

/**
 * The durations of a stretch of the x axis: whole bars of a histogram, and of a curve all that its samples take there.
 * A single place of a curve is all from there on, which is what one looks at a tail for.
 */
export function rangeBetween(plot: DistributionPlot, one: number, other: number): NsRange | undefined {
  const [from, to] = [Math.min(one, other), Math.max(one, other)];
  if (plot.form === 'histogram') {
    const bars = plot.bars.filter(
      ({ low_ns, high_ns }) => place(high_ns, plot.xScale) > from && place(low_ns, plot.xScale) <= to,
    );
    const [first, last] = [bars[0], bars.at(-1)];
    return first && last && rangeOf(first.low_ns, last.high_ns);
  }
  const valuesAt = (x: number) => plot.curves.flatMap((curve) => readCurve(curve, x) ?? []);
  const low = Math.min(...valuesAt(from));
  const high = from === to ? Infinity : Math.max(...valuesAt(to));
  if (!Number.isFinite(low)) return undefined;
  const end = Number.isFinite(high) ? durationAt(high, plot.yScale) : plot.maxNs;
  return rangeOf(durationAt(low, plot.yScale), Math.max(end, durationAt(low, plot.yScale)) + 1);
}

const rangeOf = (start: number, end: number): NsRange | undefined =>
  start >= 0 && end > start ? { start: ns(start), end: ns(end) } : undefined;

/** Where a range of durations lies: along the durations of a histogram, along the levels of a curve. */
export function stretchOf(plot: DistributionPlot, { start, end }: NsRange): Stretch {
  const [axis, scale] =
    plot.form === 'histogram' ? (['x', plot.xScale] as const) : (['y', plot.yScale] as const);
  const { min, max } = plot[axis];
  const at = (value: number) => Math.min(1, Math.max(0, (place(value, scale) - min) / (max - min)));
  return { axis, from: at(start), to: at(end) };
}

/** The number of steps over a curve. */
const STEPS = 50;

/** The place that one step of the keyboard leads to: the middle of the next bar, or a fiftieth further. */
export function stepFrom(plot: DistributionPlot, x: number | undefined, by: 1 | -1): number {
  const { min, max } = plot.x;
  if (plot.form !== 'histogram' || plot.bars.length === 0) {
    const next = x === undefined ? (by === 1 ? min : max) : x + (by * (max - min)) / STEPS;
    return Math.min(max, Math.max(min, next));
  }
  const middles = plot.bars.map(
    ({ low_ns, high_ns }) => (place(low_ns, plot.xScale) + place(high_ns, plot.xScale)) / 2,
  );
  const ends = by === 1 ? middles : middles.toReversed();
  const next =
    x === undefined ? ends[0] : ends.find((middle) => (by === 1 ? middle > x + 1e-9 : middle < x - 1e-9));
  return next ?? ends.at(-1) ?? min;
}
