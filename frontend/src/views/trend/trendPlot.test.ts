import { expect, it } from 'vitest';
import type { Trend, TrendPoint } from '../../api/trend';
import { measureOf } from '../../lib/measure';
import { BY_NAME } from '../../lib/runOrder';
import { PALETTES } from '../../lib/palette';
import { nameShifts, trendOption } from './trendOption';
import { fittingTicks, runAt, runByKey, trendPlot } from './trendPlot';
import { changeText, leftOutText, trendSentence } from './trendText';

const point = (at: number, value: number): TrendPoint => ({
  x: `6.${Math.floor(at / 2)}`,
  trace: `trace${at}`,
  name: `night ${at}`,
  uploaded_at: '2026-11-22T00:00:00Z',
  lost_events: false,
  count: 1000,
  mean_ns: value,
  p50_ns: value,
  p90_ns: value,
  p99_ns: value,
  p99_9_ns: value,
  p99_99_ns: value,
  max_ns: value * 10,
  worst_url: `http://127.0.0.1:8000/t/trace${at}/cases/wakeup-9@1`,
});

const change = (index: number, before_ns: number, after_ns: number): Trend['changes'][number] => ({
  index,
  x: '6.5',
  before_ns,
  after_ns,
  share: (after_ns - before_ns) / before_ns,
  p_value: 0.001,
  differs: [],
  worst_url: '',
  normal_trace: '',
  normal_url: '',
});

const TREND: Trend = {
  unit: 'ns',
  stat: 'p99_ns',
  points: Array.from({ length: 20 }, (_, at) => point(at, at < 10 ? 50_000 : 61_000)),
  changes: [change(10, 50_000, 61_000)],
  without_x: 0,
  without_samples: 3,
  guard: [],
};
const MEASURE = measureOf('ns');

it('has the levels of both sides of a change, and names each value of the axis once', () => {
  const plot = trendPlot(TREND, 'p99_ns', 'linear');
  expect(plot.levels.map(({ from, to, value_ns }) => [from, to, value_ns])).toEqual([
    [0, 9, 50_000],
    [10, 19, 61_000],
  ]);
  expect(plot.ticks.map(({ label }) => label)).toEqual(Array.from({ length: 10 }, (_, at) => `6.${at}`));
  expect(plot.lines.map(({ stat }) => stat)).toEqual(['p99_ns']);
  expect(trendPlot(TREND, 'p99_ns', 'log').lines).toHaveLength(4);
  expect(trendPlot({ ...TREND, changes: [] }, 'p99_ns', 'log').levels).toEqual([]);
});

/** The labels of runs of one day, in a plot of so many pixels. */
const labelsOf = (name: (at: number) => string, width = 1_300, count = TREND.points.length) => {
  const points = TREND.points.slice(0, count).map((one, at) => ({ ...one, x: '2026-11-26', name: name(at) }));
  const { ticks } = trendPlot({ ...TREND, points }, 'p99_ns', 'linear');
  return fittingTicks(ticks, count, width).map(({ label }) => label);
};

it('names runs of one day by what tells their names apart', () => {
  expect(labelsOf((at) => `nightly-6.12.${at + 1}`).slice(0, 2)).toEqual(['6.12.1', '6.12.2']);
  expect(labelsOf((at) => `nightly-${at < 10 ? 'old' : 'older'}`)).toEqual(['old', 'older']);
  expect(labelsOf(() => 'trace')).toEqual(['trace']);
  expect(labelsOf((at) => `cyc-run${at}-6.12-rt-isolated-before`, 3_000)[1]).toBe('run1-6.12');
  expect(labelsOf((at) => (at === 0 ? 'a-b' : 'a-b-c'))).toEqual(['b', 'b-c']);
});

/** Of ten runs before and after a change. */
const sidesIn = (width: number) =>
  labelsOf((at) => `cyc-run0${at}-6.12-rt-${at % 2 ? 'before' : 'after'}.cyclictest`, width, 10);

it('shortens names as little as their room asks for, and leaves out none that fit so', () => {
  expect(sidesIn(2_400).slice(0, 2)).toEqual(['run00-6.12-rt-after', 'run01-6.12-rt-before']);
  expect(sidesIn(1_280).slice(0, 2)).toEqual(['run00-6…rt-after', 'run01-6…before']);
  expect(sidesIn(1_280)).toHaveLength(10);
  expect(sidesIn(292)).toEqual(['run00-6…rt-after', 'run05-6…rt-before']);
});

it('draws no axis through the first run', () => {
  const plot = trendPlot(TREND, 'p99_ns', 'linear');
  const { yAxis } = trendOption(plot, PALETTES.light, { width: 1_000, height: 300 });
  expect(yAxis).toMatchObject({ axisLine: { onZero: false } });
});

it('names the baseline beside the lines, where no run lies under its name', () => {
  const band = { name: 'Before 6.5', value_ns: 50_000, interval: [49_000, 51_000] } as const;
  const { series } = trendOption(trendPlot(TREND, 'p99_ns', 'log', band), PALETTES.light, {
    width: 1_000,
    height: 300,
  });
  const named = [series].flat().filter((one) => one !== undefined && 'endLabel' in one);
  expect(named.map((one) => one?.id)).toContain('baseline');
  const inPlot = [series].flat().find((one) => one !== undefined && 'markArea' in one);
  expect(inPlot).toMatchObject({ markArea: { label: { show: false } } });
});

it('says what changed, where, and what is left out', () => {
  expect(trendSentence(TREND, 'p99_ns', MEASURE, 'kernel')).toBe(
    'p99 rose from 50.00\u202fµs to 61.00\u202fµs (+22\u202f%) at run 11 (6.5)',
  );
  for (const by of ['', BY_NAME]) {
    expect(trendSentence(TREND, 'p99_ns', MEASURE, by)).toMatch(/at run 11 \(night 10\)$/);
  }
  expect(changeText(change(10, 1000, 500), 'max_ns', MEASURE)).toBe(
    'max fell from 1.000\u202fµs to 500\u202fns (−50\u202f%)',
  );
  expect(changeText(change(10, 10, 210), 'p50_ns', MEASURE)).toContain('×\u202f21');
  expect(trendSentence({ ...TREND, changes: [] }, 'p99_ns', MEASURE, '')).toBe(
    'No change in p99 over 20 runs',
  );
  const few = { ...TREND, changes: [], points: TREND.points.slice(0, 2) };
  expect(trendSentence(few, 'p99_ns', MEASURE, '')).toBe('p99 of 2 runs: too few to find a change');
  expect(leftOutText({ ...TREND, without_x: 2 }, 'build')).toBe(
    'Left out: 2 traces without the label build, 3 traces not loaded or without such samples.',
  );
});

const press = (key: string, at?: number) => runByKey(key, at, 20, [10, 15]);

it('finds the run under the pointer and the one that a key leads to', () => {
  expect([runAt(0, 100, 5), runAt(20, 100, -3), runAt(20, 100, 52), runAt(20, 100, 400)]).toEqual([
    undefined,
    0,
    10,
    19,
  ]);
  expect([press('ArrowRight'), press('ArrowLeft'), press('End', 3), press('Home', 3)]).toEqual([
    0, 19, 19, 0,
  ]);
  expect([press('PageDown', 3), press('PageDown', 15), press('PageUp', 12), press('PageUp', 10)]).toEqual([
    10, 19, 10, 0,
  ]);
  expect([press('a', 3), press('ArrowRight', 19)]).toEqual([undefined, 19]);
});

it('leaves out labels that have no room', () => {
  const ticks = Array.from({ length: 300 }, (_, at) => ({ at, label: `6.12.${at}` }));
  const kept = fittingTicks(ticks, 300, 1000);
  expect(kept.length).toBeGreaterThan(8);
  expect(kept.length).toBeLessThan(16);
  expect(fittingTicks(ticks.slice(0, 3), 3, 1000)).toHaveLength(3);
});

const line = (placed: number) => ({ stat: 'max_ns' as const, placed: [0, placed] });

it('keeps the names of lines that end close together apart', () => {
  const lines = [line(1), line(5), line(5), line(4.9)];
  const shifts = nameShifts(lines, { min: 0, max: 5 }, 248);
  const tops = lines.map((one) => (5 - (one.placed[1] ?? 0)) * (248 / 5) + (shifts.get(one) ?? 0));
  const sorted = tops.toSorted((one, other) => one - other);
  const gaps = sorted.slice(1).map((top, at) => top - (sorted[at] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(14 - 1e-9);
  expect(shifts.get(lines[0] ?? line(0))).toBe(0);
});

it('counts the ticks of clocks that have no time', () => {
  const plot = trendPlot({ ...TREND, unit: 'ticks' }, 'p99_ns', 'linear');
  expect(plot.measure.axis).toBe('clock ticks');
  expect(plot.axis.ticks.at(-1)?.label).toBe('60\u202fk');
  expect(trendSentence(TREND, 'p99_ns', plot.measure, '')).toBe(
    'p99 rose from 50,000 clock ticks to 61,000 clock ticks (+22\u202f%) at run 11 (night 10)',
  );
});
