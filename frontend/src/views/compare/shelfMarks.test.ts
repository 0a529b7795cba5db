import { expect, test } from 'vitest';
import type { QuantumShelf, QuantumShelves } from '../../api/compare';
import { distributionPlot } from '../../components/distribution/distribution';
import { measureOf } from '../../lib/measure';
import { shelfMarks } from './shelfMarks';

const shelf = (low: number, high: number, share: number, atMost: number): QuantumShelf => ({
  low,
  high,
  share,
  at_most_share: atMost,
  quanta: share * 2000,
  below: 1094 - high,
  below_ns: null,
  state: 'top',
  causes: [],
  summary: '',
});

const SHELVES: QuantumShelves = {
  top: 1094,
  top_variant: 'hz250',
  notes: [],
  sentence: '',
  variants: [
    {
      name: 'hz250',
      quanta: 2000,
      quantum_ns: 1_000_000,
      lost_share: 0.004,
      recorded_share: null,
      summary: '',
      shelves: [shelf(1093, 1094, 0.75, 1), shelf(1078, 1078, 0.125, 0.25)],
      tick: null,
    },
  ],
};

test('a shelf is marked over the samples that lie on it', () => {
  expect(shelfMarks(SHELVES)).toEqual([
    { group: 'hz250', from: 0.25, to: 1, value: 1093.5, text: '1,093 – 1,094: 75.0\u202f%' },
    { group: 'hz250', from: 0.125, to: 0.25, value: 1078, text: '1,078: 12.5\u202f%' },
  ]);
});

test('what lies far below all shelves is cut off, and only sorted samples are marked', () => {
  const spread = {
    group: { label: 'hz250' },
    count: 2000,
    min_ns: 900,
    max_ns: 1094,
    p99_ns: 1094,
    p99_9_ns: 1094,
    p99_99_ns: 1094,
    p99_999_ns: 1094,
    histogram: [{ low_ns: 900, high_ns: 1095, count: 2000 }],
    shelves: { rank: [0, 1, 500, 1999], duration_ns: [900, 1078, 1094, 1094] },
  };
  const choice = { scale: 'linear', hasEqualBars: true, measure: measureOf('none') } as const;
  const marks = shelfMarks(SHELVES);
  const plot = distributionPlot([spread], { ...choice, form: 'shelves', marks });
  expect(plot.marks.map(({ index, y }) => [index, y])).toEqual([
    [0, 1093.5],
    [0, 1078],
  ]);
  expect(plot.y.cut).toBe(1070);
  expect(distributionPlot([spread], { ...choice, form: 'histogram', marks }).marks).toEqual([]);
  expect(distributionPlot([spread], { ...choice, form: 'shelves' }).y.cut).toBeUndefined();
});
