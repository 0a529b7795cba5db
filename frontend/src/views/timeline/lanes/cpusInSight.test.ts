import { expect, test } from 'vitest';
import type { PlannedLane } from '../../../components/lanes/laneModel';
import { askedCpus, cpusInSight, firstCpus } from './cpusInSight';

/** Three rows of each of 64 CPUs. */
const LANES = Array.from({ length: 192 }, (_, row): PlannedLane => {
  const cpu = Math.floor(row / 3);
  return { id: `${row}`, cpu, kind: 'sched', depth: 0, isNested: false, label: '' };
});

test('of few CPUs all are asked for, of many those at the top', () => {
  expect(firstCpus(16, [])).toBeUndefined();
  expect(firstCpus(null, [])).toBeUndefined();
  expect(firstCpus(64, [])).toHaveLength(16);
  expect(firstCpus(64, [40, 50])).toEqual([40, 50]);
});

test('scrolling asks for the CPUs of the rows in sight and of some beside them', () => {
  const first = firstCpus(64, []) ?? [];
  expect(cpusInSight(first, LANES, 0, 35)).toBe(first);
  expect(cpusInSight(first, LANES, 12, 47)).toBe(first);
  const next = cpusInSight(first, LANES, 60, 95);
  expect([next[0], next.at(-1)]).toEqual([16, 35]);
  expect(cpusInSight(next, LANES, 66, 101)).toBe(next);
});

test('rows that somebody moved are asked for wherever they lie', () => {
  const moved = [...LANES.slice(180), ...LANES.slice(0, 180)];
  expect(cpusInSight([0, 1], moved, 0, 2)).toEqual([60, 61, 62, 63]);
});

test('rows of tasks and of the whole machine belong to no CPU', () => {
  const task: PlannedLane = {
    id: 'task7',
    cpu: null,
    pid: 7,
    kind: 'task',
    depth: 0,
    isNested: false,
    label: '',
  };
  expect(cpusInSight([0], [task, ...LANES], 0, 3)).toEqual([0]);
});

test('CPUs that somebody chose are asked for, in sight or not', () => {
  expect(askedCpus([0, 1], [])).toEqual([0, 1]);
  expect(askedCpus([0, 1], [1, 900])).toEqual([1, 900]);
  const many = Array.from({ length: 40 }, (_, index) => 900 + index);
  expect(askedCpus([0, 1], many)).toEqual(many.slice(0, 16));
  expect(askedCpus([912, 913], many)).toEqual([912, 913]);
});
