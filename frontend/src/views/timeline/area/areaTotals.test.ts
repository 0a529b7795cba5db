import { expect, test } from 'vitest';
import type { SliceTotals } from '../../../api/sliceTotals';
import { areaRows, availableNs, sortedRows, type AreaRow } from './areaTotals';

const NONE = { rows: 0, count: 0, total_ns: 0 };

/** `cpu`, pid, total, longest each. */
const part = (rows: readonly (readonly [number, number, number, number])[]): SliceTotals => ({
  tasks: rows.map(([, pid]) => ({
    pid,
    comm: pid === 0 ? 'swapper/0' : pid < 10 ? 'hackbench' : '=cmd',
    cpu: null,
  })),
  symbols: ['local_timer'],
  items: [
    ...rows.map(([cpu, , total_ns, max_ns], task_idx) => ({
      cpu,
      kind: 'sched',
      task_idx,
      symbol_idx: null,
      count: 1,
      total_ns,
      max_ns,
      max_start: max_ns * 10,
    })),
    { cpu: 0, kind: 'irq', task_idx: null, symbol_idx: 0, count: 2, total_ns: 5, max_ns: 3, max_start: 7 },
  ],
  left_out: NONE,
  next: null,
});

const PARTS = [
  part([
    [0, 1, 100, 60],
    [1, 2, 50, 50],
    [0, 0, 900, 900],
  ]),
  part([
    [1, 1, 30, 90],
    [0, 11, 20, 20],
  ]),
];

const said = ({ cpu, name, count, total_ns, max_ns, max_start }: AreaRow) =>
  `${cpu ?? ''} ${name} ${count}x ${total_ns} max ${max_ns} at ${max_start}`;

test('tasks of one name are one row, which says how many they are', () => {
  expect(sortedRows(areaRows(PARTS, 'name'), '-total').map(said)).toEqual([
    ' hackbench ×2 3x 180 max 90 at 900',
    ' =cmd-11 1x 20 max 20 at 200',
    ' local_timer 4x 10 max 3 at 7',
  ]);
});

test('a task has a row for all its CPUs, or one on each', () => {
  expect(sortedRows(areaRows(PARTS, 'task'), '-total').map(said)).toEqual([
    ' hackbench-1 2x 130 max 90 at 900',
    ' hackbench-2 1x 50 max 50 at 500',
    ' =cmd-11 1x 20 max 20 at 200',
    ' local_timer 4x 10 max 3 at 7',
  ]);
  expect(sortedRows(areaRows(PARTS, 'cpu'), 'name').map(said)).toEqual([
    '0 =cmd-11 1x 20 max 20 at 200',
    '0 hackbench-1 1x 100 max 60 at 600',
    '1 hackbench-1 1x 30 max 90 at 900',
    '1 hackbench-2 1x 50 max 50 at 500',
    '0 local_timer 4x 10 max 3 at 7',
  ]);
});

test('however it is grouped, nothing but idle tasks is lost', () => {
  for (const by of ['name', 'task', 'cpu'] as const) {
    expect(areaRows(PARTS, by).reduce((sum, { total_ns }) => sum + total_ns, 0)).toBe(210);
  }
});

test('shares are of one CPU, or of all', () => {
  expect([availableNs('cpu', 100, 4), availableNs('name', 100, 4), availableNs('task', 0, 0)]).toEqual([
    100, 400, 1,
  ]);
});

test('who ran while a switch is missing is an unknown task', () => {
  const [whole] = PARTS;
  const nobody = whole?.items.map((item) => ({ ...item, task_idx: null })) ?? [];
  const rows = areaRows(whole ? [{ ...whole, items: nobody }] : [], 'name');
  expect(rows.map(({ name }) => name)).toEqual(['unknown task', 'local_timer']);
});
