import { expect, it } from 'vitest';
import type { Arrow } from './arrow';
import { arrowRow } from './arrowRow';

const LANES = [
  { cpu: null, pid: 7, kind: 'task', depth: 0 },
  { cpu: null, pid: 7, kind: 'task', depth: 1 },
  { cpu: 0, kind: 'sched', depth: 0 },
  { cpu: 0, kind: 'irq', depth: 0 },
  { cpu: 1, kind: 'idle', depth: 0 },
];

const end = (cpu: number, pid: number) => ({ t: 0, cpu, pid, task: '' });
const arrow = (kind: string, from: number, to: number, pid = 7): Arrow => ({
  id: '',
  kind,
  what: '',
  from: end(from, pid),
  to: end(to, pid),
});
const rows = (one: Arrow) => [arrowRow(LANES, one, 'from'), arrowRow(LANES, one, 'to')];

it('leads to the lane of the woken task, or else of its CPU', () => {
  expect(rows(arrow('wakeup', 0, 1))).toEqual([2, 0]);
  expect(rows(arrow('wakeup', 0, 0, 8))).toEqual([2, 2]);
});

it('leads to the lane of the handler, or to any of the CPU', () => {
  expect(rows(arrow('timer', 1, 0))).toEqual([4, 3]);
  expect(rows(arrow('softirq', 0, 0))).toEqual([2, 2]);
  expect(rows(arrow('ipi', 0, 5))).toEqual([2, undefined]);
});
