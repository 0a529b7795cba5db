import { expect, test } from 'vitest';
import type { CallTreeAnswer } from '../../../api/calls';
import { findInSandwich, isCaller, layoutSandwich, pathTowardsCentre, sandwichPath } from './sandwich';

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
const tree = (symbols: string[], nodes: CallTreeAnswer['nodes']): CallTreeAnswer => ({
  total_ns: 100,
  call_count: 3,
  symbols,
  nodes,
  truncated: null,
  net: null,
});

// read 70 → vfs_read, poll 30 → vfs_read; main calls read. vfs_read calls copy 40, which calls fault 10.
const SANDWICH = layoutSandwich(
  tree(
    ['vfs_read', 'read', 'poll', 'main'],
    [node(0, null, 100), node(1, 0, 70), node(2, 0, 30), node(3, 1, 70)],
  ),
  tree(['vfs_read', 'copy', 'fault'], [node(0, null, 100), node(1, 0, 40), node(2, 1, 10)]),
);

test('callers lie above the function, the nearest next to it, and callees below', () => {
  const drawn = SANDWICH.rows.map((row) => row.map(({ symbol, x }) => `${symbol} ${x}`).join(', '));
  expect(drawn).toEqual(['main 0', 'read 0, poll 70', 'vfs_read 0', 'copy 0', 'fault 0']);
  expect(SANDWICH.centre).toBe(2);
  expect(SANDWICH.total).toBe(100);
  expect([isCaller(SANDWICH, 1), isCaller(SANDWICH, 2)]).toEqual([true, false]);
});

test('every node is found again by its path', () => {
  for (const [row, placed] of SANDWICH.rows.entries()) {
    for (const one of placed) {
      const found = findInSandwich(SANDWICH, sandwichPath(SANDWICH, row, one));
      expect([found?.row, found?.node]).toEqual([row, one]);
    }
  }
  expect(findInSandwich(SANDWICH, '')).toBeUndefined();
  expect(findInSandwich(SANDWICH, 'gone')).toBeUndefined();
});

test('zooming out leads to the function, from either side', () => {
  expect(pathTowardsCentre('callers of: vfs_read;read;main')).toBe('callers of: vfs_read;read');
  expect(pathTowardsCentre('callers of: vfs_read;read')).toBe('');
  expect(pathTowardsCentre('vfs_read;copy')).toBe('vfs_read');
  expect(pathTowardsCentre('vfs_read')).toBe('');
});
