import { expect, test } from 'vitest';
import type { CallTreeAnswer } from '../../../api/calls';
import { graphMatches, steppedTo } from './matches';

const node = (symbol_idx: number, parent: number | null, total_ns: number) => ({
  symbol_idx,
  parent,
  count: 1,
  total_ns,
  self_ns: 0,
  min_ns: null,
  p50_ns: null,
  max_ns: null,
});

const TREE: CallTreeAnswer = {
  total_ns: 90,
  call_count: 4,
  symbols: ['vfs_read', 'ktime_get', 'ktime_get_raw'],
  nodes: [node(0, null, 60), node(1, 0, 10), node(1, null, 30), node(2, 2, 20)],
  truncated: null,
  net: null,
};

test('matches go from the largest to the smallest, each with its path', () => {
  expect(graphMatches(TREE, 'KTIME').map(({ path }) => path)).toEqual([
    'ktime_get',
    'ktime_get;ktime_get_raw',
    'vfs_read;ktime_get',
  ]);
  expect(graphMatches(TREE, '')).toEqual([]);
  expect(graphMatches(undefined, 'ktime')).toEqual([]);
});

test('steps go round the end, and start at either end', () => {
  expect(steppedTo(3, undefined, 1)).toBe(0);
  expect(steppedTo(3, undefined, -1)).toBe(2);
  expect(steppedTo(3, 2, 1)).toBe(0);
  expect(steppedTo(3, 0, -1)).toBe(2);
  expect(steppedTo(0, undefined, 1)).toBeUndefined();
});
