import { describe, expect, it } from 'vitest';
import { measureOf } from '../../lib/measure';
import { ns } from '../../lib/ns';
import type { Spread } from '../../lib/spread';
import { place } from '../series/durationAxis';
import { rangeBetween, stepFrom, stretchOf } from './choosing';
import { distributionPlot } from './distribution';

/** Samples of 10 to 19 ns, ten of each, and one of 1,000. */
const SPREAD: Spread = {
  group: null,
  count: 101,
  min_ns: 10,
  max_ns: 1_000,
  p99_ns: 19,
  p99_9_ns: 1_000,
  p99_99_ns: 1_000,
  p99_999_ns: 1_000,
  histogram: [
    { low_ns: 8, high_ns: 12, count: 20 },
    { low_ns: 12, high_ns: 16, count: 40 },
    { low_ns: 16, high_ns: 20, count: 40 },
    { low_ns: 992, high_ns: 1_024, count: 1 },
  ],
  shelves: { rank: [0, 50, 99, 100], duration_ns: [10, 15, 19, 1_000] },
};

const plotOf = (form: 'histogram' | 'percentiles' | 'shelves') =>
  distributionPlot([SPREAD], { form, scale: 'log', hasEqualBars: false, measure: measureOf() });

const at = (value: number) => place(value, 'log');

describe('a histogram', () => {
  const plot = plotOf('histogram');

  it('gives whole bars, in whatever direction they are drawn out', () => {
    expect(rangeBetween(plot, at(13), at(13))).toEqual({ start: 12, end: 16 });
    expect(rangeBetween(plot, at(17), at(9))).toEqual({ start: 8, end: 20 });
    expect(rangeBetween(plot, at(15), at(5_000))).toEqual({ start: 12, end: 1_024 });
    expect(rangeBetween(plot, at(100), at(200))).toBeUndefined();
  });

  it('is stepped over by bars, however far apart', () => {
    const first = stepFrom(plot, undefined, 1);
    expect(rangeBetween(plot, first, first)).toEqual({ start: 8, end: 12 });
    const last = stepFrom(plot, undefined, -1);
    expect(rangeBetween(plot, last, last)).toEqual({ start: 992, end: 1_024 });
    const before = stepFrom(plot, last, -1);
    expect(rangeBetween(plot, before, before)).toEqual({ start: 16, end: 20 });
    expect(stepFrom(plot, last, 1)).toBe(last);
    expect(stepFrom(plot, first, -1)).toBe(first);
  });

  it('shows what is chosen along its durations', () => {
    const { axis, from, to } = stretchOf(plot, { start: ns(12), end: ns(20) });
    expect(axis).toBe('x');
    expect(plot.x.min + from * (plot.x.max - plot.x.min)).toBeCloseTo(at(12));
    expect(plot.x.min + to * (plot.x.max - plot.x.min)).toBeCloseTo(at(20));
  });
});

describe.each([
  ['shelves', 0.5, 0.9],
  ['percentiles', -Math.log10(0.5), -Math.log10(0.1)],
] as const)('%s', (form, median, ninety) => {
  const plot = plotOf(form);

  it('give the durations of a stretch, and from one place on all longer ones', () => {
    expect(rangeBetween(plot, median, ninety)).toEqual({ start: 15, end: 16 });
    expect(rangeBetween(plot, median, median)).toEqual({ start: 15, end: 1_001 });
  });

  it('show what is chosen along their levels', () => {
    expect(stretchOf(plot, { start: ns(15), end: ns(5_000) })).toMatchObject({ axis: 'y', to: 1 });
  });

  it('are stepped over from end to end', () => {
    expect(stepFrom(plot, undefined, 1)).toBe(plot.x.min);
    expect(stepFrom(plot, plot.x.max, 1)).toBe(plot.x.max);
    expect(stepFrom(plot, plot.x.max, -1)).toBeLessThan(plot.x.max);
  });
});
