import { measureOf } from '../../lib/measure';
import { expect, test } from 'vitest';
import { spread } from '../../lib/spread.fixture';
import {
  countAt,
  distributionPlot,
  drawableGroups,
  drawnGroups,
  MOST_CURVES,
  readCurve,
  shareAtNines,
  type DistributionPlot,
} from './distribution';
import { durationAt } from '../series/durationAxis';

const QUIET = spread('CPU 0', Array.from({ length: 1000 }, (_, at) => 1_100 + at / 10).map(Math.round));
const NOISY = spread('CPU 1', [...Array.from({ length: 999 }, () => 1_500), 20_000]);

const forms = { scale: 'log', hasEqualBars: false, measure: measureOf('ns') } as const;

const at = (plot: DistributionPlot, curve: number, x: number) => {
  const found = plot.curves[curve];
  const value = found && readCurve(found, x);
  return value === undefined ? undefined : durationAt(value, plot.yScale);
};

test('the percentile curve passes through the percentiles of the table', () => {
  const plot = distributionPlot([QUIET, NOISY], { ...forms, form: 'percentiles' });
  expect(at(plot, 0, 2 + 1e-9)).toBe(QUIET.p99_ns);
  expect(at(plot, 1, 2 + 1e-9)).toBe(1_500);
  expect(at(plot, 1, 3 + 1e-9)).toBe(20_000);
  expect(plot.x.ticks.map(({ label }) => label.replace('\u202f%', ''))).toEqual([
    '0',
    '50',
    '90',
    '99',
    '99.9',
  ]);
  expect(shareAtNines(3)).toBeCloseTo(0.999, 12);
});

test('shelves go from the shortest to the longest', () => {
  const plot = distributionPlot([NOISY], { ...forms, form: 'shelves' });
  expect(at(plot, 0, 0)).toBe(1_500);
  expect(at(plot, 0, 0.5)).toBe(1_500);
  expect(at(plot, 0, 1)).toBe(20_000);
});

test('the longest sample is a shelf, too, and a single one all of the line', () => {
  const few = [spread('three', [1_000, 2_000, 3_000]), spread('one', [1_000])];
  const { curves } = distributionPlot(few, { ...forms, form: 'shelves' });
  expect(curves.map(({ line }) => line.map(([share]) => share))).toEqual([
    [0, 1 / 3, 2 / 3, 1],
    [0, 1],
  ]);
});

test('bars have their counts, and nothing is drawn where bars are apart', () => {
  const plot = distributionPlot([NOISY], { ...forms, form: 'histogram' });
  const [curve] = plot.curves;
  const counts = [1_500, 5_000, 20_000].map((ns) => curve && countAt(readCurve(curve, Math.log10(ns)) ?? 0));
  expect(counts).toEqual([999, 0, 1]);
  expect([plot.x.min, plot.x.max]).toEqual([Math.log10(1024), Math.log10(32_768)]);
});

test('a single sample is a dot, and counts where it is pointed at', () => {
  const [curve] = distributionPlot([NOISY], { ...forms, form: 'histogram' }).curves;
  expect(curve?.dots.map(([, y]) => countAt(y))).toEqual([1]);
  const last = curve?.dots[0]?.[0] ?? 0;
  expect(curve && countAt(readCurve(curve, last) ?? 0)).toBe(1);
  expect(curve && countAt(readCurve({ ...curve, points: curve.line }, last) ?? 0)).toBe(0);
});

test('equal bars are drawn on a linear axis', () => {
  const bins = [
    { low_ns: 0, high_ns: 500, count: 3 },
    { low_ns: 500, high_ns: 1_000, count: 7 },
  ];
  const plot = distributionPlot([{ ...NOISY, histogram: bins }], {
    form: 'histogram',
    scale: 'log',
    hasEqualBars: true,
    measure: measureOf('ns'),
  });
  const [curve] = plot.curves;
  expect(plot.xScale).toBe('linear');
  expect(curve && countAt(readCurve(curve, 700) ?? 0)).toBe(7);
});

test('of many groups those with the longest latencies are drawn', () => {
  const many = Array.from({ length: 20 }, (_, cpu) => spread(`CPU ${cpu}`, [cpu + 1]));
  const drawn = drawnGroups(many);
  expect(drawn).toHaveLength(MOST_CURVES);
  expect(drawn[0]?.max_ns).toBe(20);
});

test('sorted samples need more than one, unless no group has more', () => {
  const [single, pair] = [spread('a single one', [5]), spread('two', [5, 6])];
  expect(drawableGroups([single, pair], 'percentiles')).toEqual([pair]);
  expect(drawableGroups([single, pair], 'histogram')).toEqual([single, pair]);
  expect(drawableGroups([single], 'shelves')).toEqual([single]);
});

test('nothing to draw still has axes', () => {
  for (const form of ['histogram', 'percentiles', 'shelves'] as const) {
    const plot = distributionPlot([], { ...forms, form });
    expect(plot.x.max).toBeGreaterThan(plot.x.min);
    expect(plot.y.max).toBeGreaterThan(plot.y.min);
  }
});
