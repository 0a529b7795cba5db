import { describe, expect, it } from 'vitest';
import type { SqlAnswer } from '../../api/sql';
import type { PlotKind } from '../../viewState/query';
import { resultAxes } from './resultAxes';
import { placeAt } from './resultPlaces';
import { resultPlot } from './resultPlot';

const SIZE = { x: 1_000, y: 100 };

function plotOf(columns: readonly (readonly [string, string])[], rows: SqlAnswer['rows']) {
  const plot = resultPlot({
    columns: columns.map(([name, type]) => ({ name, type, unit: name.endsWith('_ns') ? 'ns' : null })),
    rows,
    row_count: rows.length,
    is_truncated: false,
  });
  if (plot === undefined) throw new Error('nothing is drawn');
  return plot;
}

const TIMES = plotOf(
  [
    ['t_ns', 'int8'],
    ['duration_ns', 'int8'],
  ],
  [
    [900, 40],
    [100, 100],
    [null, 50],
    [100, 20],
    [500, 60],
  ],
);

/** The row at a place of the plot, in percent of its size. */
function rowAt(plot: typeof TIMES, kind: PlotKind, x: number, y: number): number | undefined {
  const pointer = { x: (x / 100) * SIZE.x, y: (y / 100) * SIZE.y };
  const at = placeAt(plot.places, resultAxes(plot, kind), SIZE, pointer, kind === 'points');
  return at === undefined ? undefined : plot.places[at]?.row;
}

describe('the row under the pointer', () => {
  it('is that of the nearest point', () => {
    expect(rowAt(TIMES, 'points', 5, 90)).toBe(1);
    expect(rowAt(TIMES, 'points', 5, 10)).toBe(3);
    expect(rowAt(TIMES, 'points', 50, 60)).toBe(4);
  });

  it('is at the nearest place of a line, however far the line is above or below', () => {
    expect(rowAt(TIMES, 'line', 82, 100)).toBe(0);
    expect(rowAt(TIMES, 'line', 50, 0)).toBe(4);
  });

  it('is the bar, by its number or its name', () => {
    const cpus = plotOf(
      [
        ['cpu', 'int4'],
        ['count', 'int8'],
      ],
      [
        [0, 7],
        [1, 9],
      ],
    );
    expect([10, 49, 51, 99].map((x) => rowAt(cpus, 'bars', x, 0))).toEqual([0, 0, 1, 1]);
    const kinds = plotOf(
      [
        ['kind', 'text'],
        ['max_ns', 'int8'],
      ],
      [
        ['irq', 9],
        ['tick', null],
        ['wakeup', 9],
      ],
    );
    expect([10, 40, 60, 90].map((x) => rowAt(kinds, 'bars', x, 0))).toEqual([0, 0, 2, 2]);
  });
});

it('goes from row to row in the order along the bottom', () => {
  expect(TIMES.places.map(({ row }) => row)).toEqual([1, 3, 4, 0]);
});

describe('axes', () => {
  it('end at round values, whose steps are marked', () => {
    expect(resultAxes(TIMES, 'points')).toEqual({
      x: { min: 0, max: 1_000, ticks: [0, 200, 400, 600, 800, 1_000] },
      y: { min: 0, max: 100, ticks: [0, 20, 40, 60, 80, 100] },
    });
  });

  it('mark parts of numbers, and a single number', () => {
    const shares = plotOf(
      [
        ['share', 'float8'],
        ['count', 'int8'],
      ],
      [
        [0.12, 0],
        [0.58, 0],
      ],
    );
    const { x, y } = resultAxes(shares, 'line');
    expect([x.min, x.max]).toEqual([expect.closeTo(0.1), expect.closeTo(0.6)]);
    expect(x.ticks).toHaveLength(6);
    expect(y).toEqual({ min: 0, max: 1, ticks: [0, 1] });
  });
});
