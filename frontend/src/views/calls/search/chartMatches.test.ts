import { expect, test } from 'vitest';
import type { CallsAnswer } from '../../../api/calls';
import { callRows } from '../../../components/flame/flameChart';
import { chartMatches } from './chartMatches';

const LANE = { id: 'cpu0', cpu: 0, lane_task_idx: null, detail: 'slices', task_idx: [0, 0] };
const ANSWER: CallsAnswer = {
  start: 0,
  end: 100,
  width: 100,
  tasks: [{ pid: 1, comm: 'sh', cpu: null }],
  symbols: ['vfs_read', 'ktime_get'],
  lanes: [
    { ...LANE, depth: 0, t: [10, 50], duration_ns: [20, 20], symbol_idx: [0, 1], call_id: ['a', 'b'] },
    { ...LANE, depth: 1, t: [12, 55], duration_ns: [5, 5], symbol_idx: [1, 1], call_id: ['c', 'd'] },
  ],
};
const found = (q: string, start = 0, end = 100) =>
  chartMatches(callRows([ANSWER]), ANSWER, { start, end }, q).map(({ row, item, at }) => [row, item, at]);

test('calls that match are in the order of their starts', () => {
  expect(found('KTIME')).toEqual([
    [1, 0, 12],
    [0, 1, 50],
    [1, 1, 55],
  ]);
});

test('only what the window shows counts', () => {
  expect(found('ktime', 40)).toHaveLength(2);
  expect(found('ktime', 58, 60)).toHaveLength(2);
});

test('no search, or one without a match, finds nothing', () => {
  expect(found('')).toEqual([]);
  expect(found('gone')).toEqual([]);
});
