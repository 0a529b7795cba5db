import { expect, test } from 'vitest';
import type { CallLane, CallsAnswer } from './flameAnswer';
import { symbolColour } from '../../lib/colour';
import { callIdAt, callRows, findCall, flameScene, neighbourCall } from './flameChart';

const lane = (
  id: string,
  depth: number,
  t: number[],
  duration_ns: number[],
  symbol_idx: number[],
): CallLane => ({
  id,
  depth,
  t,
  duration_ns,
  symbol_idx,
  cpu: Number(id.slice(3)),
  lane_task_idx: null,
  detail: 'slices',
  self_ns: duration_ns,
  count: null,
  busy_ns: null,
  max_ns: null,
  max_start: null,
  call_id: t.map((start) => `call-7@${start}.${depth}`),
});

const ANSWER: CallsAnswer = {
  tasks: [],
  symbols: ['do_syscall_64', 'sysvec_apic_timer_interrupt', 'ktime_get'],
  lanes: [
    lane('cpu10', 0, [0], [10], [0]),
    lane('cpu2', 0, [0, 40], [30, 20], [0, 1]),
    lane('cpu2', 1, [5, 45], [5, 10], [2, 2]),
  ],
};
const rows = callRows([ANSWER]);

test('rows stand by CPU in the order of numbers, then by depth', () =>
  expect(rows.map(({ group, depth }) => `${group} ${depth}`)).toEqual(['CPU 2 0', 'CPU 2 1', 'CPU 10 0']));

test('rows stay as deep as they ever were', () => {
  const now = { ...ANSWER, lanes: ANSWER.lanes.slice(0, 2) };
  const steady = callRows([ANSWER, now]);
  expect(steady.map(({ id, lane: shown }) => `${id} ${shown === undefined ? 'empty' : 'full'}`)).toEqual([
    'cpu2.0 full',
    'cpu2.1 empty',
    'cpu10.0 full',
  ]);
});

test('a task without calls in sight has no row', () => {
  const tasks = [
    { pid: 7, comm: 'dd', cpu: null },
    { pid: 9, comm: 'sh', cpu: null },
  ];
  const ofTask = (index: number, depth: number) => ({
    ...lane(`pid${tasks[index]?.pid}`, depth, [0], [10], [0]),
    lane_task_idx: index,
  });
  const whole = { ...ANSWER, tasks, lanes: [ofTask(0, 0), ofTask(0, 1), ofTask(1, 0), ofTask(1, 1)] };
  const now = { ...ANSWER, tasks, lanes: [ofTask(1, 0), ofTask(1, 1)] };
  expect(callRows([whole, now]).map(({ group, depth }) => `${group} ${depth}`)).toEqual(['sh-9 0', 'sh-9 1']);
  expect(callRows([whole, whole]).map(({ group }) => group)).toEqual(['dd-7', 'dd-7', 'sh-9', 'sh-9']);
});

test('a task without calls in the window keeps its outermost row, unless none has any', () => {
  const tasks = [
    { pid: 7, comm: 'dd', cpu: null },
    { pid: 9, comm: 'sh', cpu: null },
  ];
  const ofTask = (index: number, depth: number, start: number) => ({
    ...lane(`pid${tasks[index]?.pid}`, depth, [start], [10], [0]),
    lane_task_idx: index,
  });
  const lanes = [ofTask(0, 0, 0), ofTask(0, 1, 0), ofTask(1, 0, 50), ofTask(1, 1, 50)];
  const shown = (start: number, end: number) =>
    callRows([{ ...ANSWER, tasks, lanes }], { start, end }).map(({ group, depth }) => `${group} ${depth}`);
  const all = ['dd-7 0', 'dd-7 1', 'sh-9 0', 'sh-9 1'];
  expect(shown(0, 100)).toEqual(all);
  expect(shown(45, 100)).toEqual(['dd-7 0', 'sh-9 0', 'sh-9 1']);
  expect(shown(0, 50)).toEqual(['dd-7 0', 'dd-7 1', 'sh-9 0']);
  expect(shown(20, 40)).toEqual(all);
  expect(callRows([ANSWER], { start: 35, end: 39 }).map(({ group }) => group)).toHaveLength(3);
});

test('a function has one colour, whoever calls it', () => {
  const scene = flameScene(rows, ANSWER, 'dark');
  expect(scene.rows[1]?.items.fill.map((fill) => scene.fills[fill ?? -1])).toEqual([
    symbolColour('ktime_get', 'dark'),
    symbolColour('ktime_get', 'dark'),
  ]);
});

const heightsIn = (room: number) => flameScene(rows, ANSWER, 'dark', room).rows.map(({ height }) => height);

test('few rows grow into the room', () => {
  expect(heightsIn(0)).toEqual([18, 18, 18]);
  expect(heightsIn(3 * 40 + 8)).toEqual([40, 40, 40]);
  expect(heightsIn(900)).toEqual([64, 64, 64]);
  // As high as a wall.
  expect(heightsIn(2_000)).toEqual([96, 96, 96]);
});

test('a call is found by its id, and its id where it is drawn', () => {
  expect(findCall(rows, 'call-7@45.1')).toEqual({ row: 1, item: 1, at: 45 });
  expect(findCall(rows, 'call-7@46.1')).toBeUndefined();
  expect(callIdAt(rows, { row: 1, item: 1, at: 47 })).toBe('call-7@45.1');
});

test('arrow keys go to callers, callees and neighbours', () => {
  expect(neighbourCall(rows, { row: 0, item: 1, at: 40 }, 'down')).toEqual({ row: 1, item: 1, at: 45 });
  expect(neighbourCall(rows, { row: 1, item: 1, at: 45 }, 'up')).toEqual({ row: 0, item: 1, at: 40 });
  expect(neighbourCall(rows, { row: 1, item: 1, at: 45 }, 'down')).toBeUndefined();
  expect(neighbourCall(rows, { row: 0, item: 0, at: 0 }, 'right')).toEqual({ row: 0, item: 1, at: 40 });
});
