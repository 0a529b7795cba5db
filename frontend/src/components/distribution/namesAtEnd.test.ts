import { expect, test } from 'vitest';
import { measureOf } from '../../lib/measure';
import { spread } from '../../lib/spread.fixture';
import { distributionPlot } from './distribution';
import { movesAtEnd, roomForNames } from './namesAtEnd';

const groups = ['one', 'another', 'a third'].map((label) => spread(label, [1_500, 1_600, 20_000]));
const choice = { scale: 'log', hasEqualBars: false, measure: measureOf('ns') } as const;
const PLOT = distributionPlot(groups, { ...choice, form: 'shelves' });

test('sorted samples of several groups have room for the longest name, where there is any', () => {
  expect(roomForNames(PLOT, 1_000)).toBeGreaterThanOrEqual(7 * 'another'.length);
  expect(roomForNames(PLOT, 340)).toBe(0);
  expect(roomForNames(distributionPlot(groups.slice(0, 1), { ...choice, form: 'shelves' }), 1_000)).toBe(0);
  expect(roomForNames(distributionPlot(groups, { ...choice, form: 'percentiles' }), 1_000)).toBe(0);
});

/** Where the names are, in pixels from the top of a plot that is 100 high, of curves that end at these shares of it. */
function check(ends: readonly number[], expected: readonly number[]) {
  const { min, max } = PLOT.y;
  const curves = PLOT.curves.map((curve, index) => ({
    ...curve,
    named: [1, min + (max - min) * (ends[index] ?? 0)] as const,
  }));
  const moves = movesAtEnd({ ...PLOT, curves }, { width: 100, height: 100 });
  expect(moves.map(({ dy }, index) => Math.round(100 * (1 - (ends[index] ?? 0)) + dy))).toEqual(expected);
}

test('names are at the ends of their curves, and a line from each other', () => {
  check([0.9, 0.5, 0.1], [10, 50, 90]);
  check([0.5, 0.5, 0.45], [50, 66, 82]);
  check([0, 0.02, 0.01], [100, 68, 84]);
});
