import { expect, test } from 'vitest';
import { measureOf } from '../../lib/measure';
import { spread } from '../../lib/spread.fixture';
import { movesOfNames, USUAL_SIZE } from './curveNames';
import { distributionPlot, type DistributionPlot } from './distribution';

const groups = ['one', 'another', 'a third'].map((label) => spread(label, [1_500, 1_600, 20_000]));
const choice = { scale: 'log', hasEqualBars: false, measure: measureOf('ns'), form: 'shelves' } as const;
const PLOT = distributionPlot(groups, choice);

/** The plot with its names at these shares of its width, all at one height. */
function namedAt(...shares: readonly number[]): DistributionPlot {
  const { min, max } = PLOT.x;
  const curves = PLOT.curves.map((curve, index) => ({
    ...curve,
    named: [min + (max - min) * (shares[index] ?? 0), PLOT.y.max] as const,
  }));
  return { ...PLOT, curves };
}

const STAYS = { dx: 0, dy: 0 };

test('names apart stay where they are', () => {
  expect(movesOfNames(namedAt(0.1, 0.4, 0.9), USUAL_SIZE)).toEqual([STAYS, STAYS, STAYS]);
});

test('names that overlap move a line up or down and stay within the plot', () => {
  // The names are at its upper edge.
  expect(movesOfNames(namedAt(0.9, 0.9, 0.9), USUAL_SIZE)).toEqual([
    STAYS,
    { dx: 0, dy: 16 },
    { dx: 0, dy: 32 },
  ]);
});

test('where there are no lines left, they go towards the middle, past all that are in the way', () => {
  // Of 7 px a letter, and 14 px between them.
  const flat = { ...USUAL_SIZE, height: 10 };
  expect(movesOfNames(namedAt(0.9, 0.9, 0.9), flat).map(({ dx }) => dx)).toEqual([0, -35, -98]);
  expect(movesOfNames(namedAt(0.1, 0.1, 0.1), flat).map(({ dx }) => dx)).toEqual([0, 35, 98]);
});

test('a name moves along its curve before it moves further', () => {
  const plot = namedAt(0.9, 0.9, 0.9);
  const { min, max } = plot.x;
  const curves = plot.curves.map((curve) => ({
    ...curve,
    alsoNamed: [[min + (max - min) * 0.6, plot.y.max] as const],
  }));
  const low = { ...USUAL_SIZE, height: 20 };
  expect(movesOfNames({ ...plot, curves }, low)).toEqual([STAYS, { dx: 0, dy: 16 }, { dx: -300, dy: 0 }]);
});

test('wherever names are, all find a place', () => {
  for (let share = 0; share < 1; share += 0.0137) {
    expect(movesOfNames(namedAt(share, share + 0.003, share - 0.01), USUAL_SIZE)).toHaveLength(3);
  }
});

test('a name does not lie over the text of a shelf at its end', () => {
  const [curve] = PLOT.curves;
  const y = (PLOT.y.min + PLOT.y.max) / 2;
  const unit = (PLOT.y.max - PLOT.y.min) / USUAL_SIZE.height;
  const named = (height: number): DistributionPlot => ({
    ...PLOT,
    curves: curve ? [{ ...curve, label: 'of a long name', named: [1, height] }] : [],
    marks: [{ from: 0.8, to: 1, y, index: 0, text: '20.0 µs' }],
  });
  // Under the shelf is its text; a line higher there is room, and far below, too.
  expect(movesOfNames(named(y - 20 * unit), USUAL_SIZE)).toEqual([{ dx: 0, dy: -16 }]);
  expect(movesOfNames(named(y), USUAL_SIZE)).toEqual([STAYS]);
  expect(movesOfNames(named(y - 60 * unit), USUAL_SIZE)).toEqual([STAYS]);
});
