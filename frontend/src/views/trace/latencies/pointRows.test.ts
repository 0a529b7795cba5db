import { expect, test } from 'vitest';
import { SERIES } from '../../../components/series/series.fixture';
import { pointRows } from './SeriesTable';

test('the table has what is in sight, longest first', () => {
  const rows = pointRows({ lanes: SERIES.lanes, window: { start: 500_000, end: 2_000_000 } });
  expect(rows.map(({ cpu, duration_ns }) => [cpu, duration_ns])).toEqual([
    [1, 18_551],
    [0, 3_000],
  ]);
});
