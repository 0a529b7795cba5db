import { expect, test } from 'vitest';
import type { CallTreeAnswer } from '../../api/calls';
import { contrastRatio, symbolColour, type Colour } from '../../lib/colour';
import { PALETTES } from '../../lib/palette';
import { findPath, flameGraphScene, foldedStacks, layoutTree, matchedShare, pathOf } from './flameGraph';

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

// do_syscall_64 100 { vfs_read 60 { ktime_get 10 }, __schedule 30 }, sysvec_apic_timer_interrupt 200 { ktime_get 50 }
const TREE: CallTreeAnswer = {
  total_ns: 300,
  call_count: 6,
  symbols: ['do_syscall_64', 'vfs_read', '__schedule', 'sysvec_apic_timer_interrupt', 'ktime_get'],
  nodes: [
    node(0, null, 100, 10),
    node(2, 0, 30, 30),
    node(1, 0, 60, 50),
    node(4, 2, 10, 10),
    node(3, null, 200, 150),
    node(4, 4, 50, 50),
  ],
  truncated: null,
  net: null,
};

test('nodes lie under their parents, the largest first', () => {
  const { rows, total } = layoutTree(TREE);
  const drawn = rows.map((row) =>
    row.map(({ symbol, x, node: { total_ns } }) => `${symbol} ${x}+${total_ns}`),
  );
  expect(total).toBe(300);
  expect(drawn).toEqual([
    ['sysvec_apic_timer_interrupt 0+200', 'do_syscall_64 200+100'],
    ['ktime_get 0+50', 'vfs_read 200+60', '__schedule 260+30'],
    ['ktime_get 200+10'],
  ]);
});

test('a function has one colour, in an interrupt and outside of it', () => {
  const { rows, fills } = flameGraphScene(layoutTree(TREE), '', 'dark', 'muted');
  const ktime = symbolColour('ktime_get', 'dark');
  expect(fills[rows[1]?.items.fill[0] ?? -1]).toBe(ktime);
  expect(fills[rows[2]?.items.fill[0] ?? -1]).toBe(ktime);
});

test('the share of a search counts nested matches once', () => {
  expect(matchedShare(TREE, 'ktime')).toEqual({ functions: 1, total_ns: 60 });
  expect(matchedShare(TREE, 'SYS')).toEqual({ functions: 2, total_ns: 300 });
  expect(matchedShare(TREE, '')).toEqual({ functions: 0, total_ns: 0 });
});

test('what does not match steps back', () => {
  const scene = flameGraphScene(layoutTree(TREE), 'ktime', 'dark', 'muted');
  const colours = scene.rows.map((row) => row.items.fill.map((fill) => scene.fills[fill ?? -1] === 'muted'));
  expect(colours).toEqual([[true, true], [false, true, true], [false]]);
});

test('a path leads to its node, or as far as it goes', () => {
  const layout = layoutTree(TREE);
  expect(pathOf(TREE, 3)).toBe('do_syscall_64;vfs_read;ktime_get');
  expect(findPath(layout, 'do_syscall_64;vfs_read;ktime_get')?.window).toEqual({ start: 200, end: 210 });
  expect(findPath(layout, 'do_syscall_64;gone;ktime_get')?.window).toEqual({ start: 200, end: 300 });
  expect(findPath(layout, 'gone')).toBeUndefined();
});

test.each(['dark', 'light'] as const)('names on functions are readable in %s', (theme) => {
  const names = ['a', 'ktime_get', '__schedule', 'do_IRQ', 'irq_enter', 'native_write_msr', 'x'.repeat(60)];
  const colours: Colour[] = names.map((name) => symbolColour(name, theme));
  for (const colour of colours)
    expect(contrastRatio(PALETTES[theme].onSlice, colour)).toBeGreaterThanOrEqual(4.5);
});

const nodeFoldedStacks = (symbol_idx: number, parent: number | null, total_ns: number, self_ns: number) => ({
  symbol_idx,
  parent,
  count: 1,
  total_ns,
  self_ns,
  min_ns: total_ns,
  p50_ns: total_ns,
  max_ns: total_ns,
});

function check(
  symbols: readonly string[],
  nodes: readonly ReturnType<typeof nodeFoldedStacks>[],
  expected: string,
) {
  const total_ns = nodes.reduce((sum, { parent, total_ns: own }) => sum + (parent === null ? own : 0), 0);
  const folded = foldedStacks({
    symbols,
    nodes,
    total_ns,
    call_count: nodes.length,
    truncated: null,
    net: null,
  });
  expect(folded).toBe(expected);
  const lines = folded.trim().split('\n');
  const sum = lines.reduce((all, line) => all + Number(line.split(' ')[1]), 0);
  expect(sum).toBe(total_ns);
}

test('a line for each stack that spent time in itself', () =>
  check(
    ['read', 'copy', 'lock'],
    [nodeFoldedStacks(0, null, 100, 10), nodeFoldedStacks(1, 0, 90, 0), nodeFoldedStacks(2, 1, 90, 90)],
    'read 10\nread;copy;lock 90\n',
  ));

test('what was left out as too small still counts', () =>
  check(
    ['read', 'copy'],
    [nodeFoldedStacks(0, null, 100, 10), nodeFoldedStacks(1, 0, 60, 60)],
    'read 10\nread;[small_ones] 30\nread;copy 60\n',
  ));

test('names cannot end a frame or a stack', () =>
  check(['a;b c'], [nodeFoldedStacks(0, null, 5, 5)], 'a:b_c 5\n'));
