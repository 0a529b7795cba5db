import { expect, test } from 'vitest';
import { spread } from '../../lib/spread.fixture';
import { barRows, sampleRows } from './DistributionTable';

const groups = [spread('CPU 0', [1_500, 1_600, 20_000])];

test('bars are listed with their counts', () => {
  expect(barRows(groups).map(({ low_ns, high_ns, count }) => [low_ns, high_ns, count])).toEqual([
    [1024, 2048, 2],
    [16_384, 32_768, 1],
  ]);
});

test('samples are listed longest first, with ranks that people count from one', () => {
  expect(sampleRows(groups).map(({ rank, duration_ns }) => [rank, duration_ns])).toEqual([
    [3, 20_000],
    [2, 1_600],
    [1, 1_500],
  ]);
});
