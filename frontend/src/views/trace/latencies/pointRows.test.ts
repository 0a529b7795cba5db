import { expect, test } from 'vitest';
import { SERIES } from '../../../components/series/series.fixture';
import { seriesPlot, type WorstIs } from '../../../components/series/series';
import { pointRows } from './SeriesTable';

const plotOf = (worstIs: WorstIs) => seriesPlot(SERIES, { start: 0, end: 2_000_000 }, 'log', [], worstIs);

test('the table has what is in sight, longest first', () => {
  const rows = pointRows({ ...plotOf('largest'), window: { start: 500_000, end: 2_000_000 } });
  expect(rows.map(({ cpu, duration_ns }) => [cpu, duration_ns])).toEqual([
    [1, 18_551],
    [0, 3_000],
  ]);
});

test('where the smallest are the worst, the table begins with them', () => {
  expect(pointRows(plotOf('smallest')).map(({ duration_ns }) => duration_ns)).toEqual([2_000, 3_000, 18_551]);
});
