import { expect, test } from 'vitest';
import { foldedStacks } from './foldedStacks';

const node = (symbol_idx: number, parent: number | null, total_ns: number, self_ns: number) => ({
  symbol_idx,
  parent,
  count: 1,
  total_ns,
  self_ns,
  min_ns: total_ns,
  p50_ns: total_ns,
  max_ns: total_ns,
});

function check(symbols: readonly string[], nodes: readonly ReturnType<typeof node>[], expected: string) {
  const total_ns = nodes.reduce((sum, { parent, total_ns: own }) => sum + (parent === null ? own : 0), 0);
  const folded = foldedStacks({ symbols, nodes, total_ns, call_count: nodes.length, truncated: null });
  expect(folded).toBe(expected);
  const lines = folded.trim().split('\n');
  const sum = lines.reduce((all, line) => all + Number(line.split(' ')[1]), 0);
  expect(sum).toBe(total_ns);
}

test('a line for each stack that spent time in itself', () =>
  check(
    ['read', 'copy', 'lock'],
    [node(0, null, 100, 10), node(1, 0, 90, 0), node(2, 1, 90, 90)],
    'read 10\nread;copy;lock 90\n',
  ));

test('what was left out as too small still counts', () =>
  check(
    ['read', 'copy'],
    [node(0, null, 100, 10), node(1, 0, 60, 60)],
    'read 10\nread;[small_ones] 30\nread;copy 60\n',
  ));

test('names cannot end a frame or a stack', () => check(['a;b c'], [node(0, null, 5, 5)], 'a:b_c 5\n'));
