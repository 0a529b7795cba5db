import { expect, test } from 'vitest';
import { IndexedTexts } from '../chart/laneScene';
import type { TimelineAnswer } from './laneAnswer';
import { fillLanes, itemName, planLanes, presentKinds } from './laneModel';
import { boostAt, shortTaskName, taskItems, type TaskLane } from './taskLanes';
import { FIXTURE } from './timeline.fixture';

const SYMBOLS = ['runnable', 'preempted', 'blocked (timer)', 'local_timer:236'];

const lane = (of: Partial<TaskLane> = {}): TaskLane => ({
  id: 'task1213',
  cpu: null,
  kind: 'task',
  depth: 0,
  detail: 'slices',
  task: { pid: 1213, comm: 'cyclictest', prio: 19 },
  t: [0, 10, 20, 30],
  duration_ns: [10, 10, 10, 10],
  task_idx: [0, 0, 0, 0],
  symbol_idx: [2, 0, null, 1],
  on_cpu: [1, 1, 1, 0],
  ...of,
});

const answerOf = (...lanes: readonly TaskLane[]): TimelineAnswer => ({
  ...FIXTURE,
  symbols: SYMBOLS,
  lanes: [...FIXTURE.lanes, ...lanes],
});

const INKS = { running: 'run', waiting: 'wait', irq: 'irq', softirq: 'soft', boost: 'boost' };

test('each state of a task has its look and its words', () => {
  const [fills, texts] = [new IndexedTexts(), new IndexedTexts()];
  const answer = answerOf(lane());
  const items = taskItems(lane(), answer, INKS, fills, texts);
  expect(items.fill.map((fill) => fills.all[fill ?? -1])).toEqual(['wait', 'wait', 'run', 'wait']);
  expect(items.look).toEqual(['filled', 'outlined', 'filled', 'hatched']);
  expect(items.level?.map((level) => level < 1)).toEqual([true, false, false, false]);
  expect(lane().t.map((_, item) => itemName(lane(), item, answer))).toEqual([
    'blocked (timer)',
    'runnable',
    'running on CPU 1',
    'preempted',
  ]);
});

test('what interrupts a task is a row under it', () => {
  const interrupts = lane({ id: 'task1213.1', depth: 1, symbol_idx: [3, 3, 3, 3] });
  const plans = planLanes([answerOf(interrupts, lane())], { cpu: [], hide: [], tasks: [1213] });
  expect(plans.slice(0, 2).map(({ id, group, label, isNested }) => [id, group, label, isNested])).toEqual([
    ['task1213', 'cyclictest-1213', 'rt 80', false],
    ['task1213.1', undefined, '', true],
  ]);
  expect(itemName(interrupts, 0, answerOf())).toBe('interrupted by local_timer:236');
});

test('tasks stand above the CPUs in the order in which they were asked for, whatever else is hidden', () => {
  const other = lane({ id: 'task20', task: { pid: 20, comm: 'sh', prio: null } });
  const answer = answerOf(lane(), other);
  const plans = planLanes([answer], { cpu: [1], hide: ['irq'], tasks: [20, 1213] });
  expect(plans.slice(0, 2).map(({ id, label }) => [id, label])).toEqual([
    ['task20', 'task'],
    ['task1213', 'rt 80'],
  ]);
  expect(plans.slice(2).every(({ cpu }) => cpu === 1 || cpu === null)).toBe(true);
  expect(fillLanes(plans, answer)[0]?.lane?.id).toBe('task20');
  expect(presentKinds([answer]).map(({ name }) => name)).not.toContain('task');
});

test('buckets are as high as the task ran in them, and outlined where it only waited', () => {
  const buckets = lane({
    detail: 'buckets',
    t: [0, 100],
    duration_ns: [100, 100],
    busy_ns: [25, 0],
    waiting_ns: [50, 80],
    symbol_idx: [null, null],
  });
  const items = taskItems(buckets, answerOf(), INKS, new IndexedTexts(), new IndexedTexts());
  expect(items.level).toEqual([0.25, 0.8]);
  expect(items.look).toEqual(['filled', 'outlined']);
});

test('a priority that a task was lent is a row of its own, and told of a slice that begins in it', () => {
  const symbols = [...SYMBOLS, 'rt 10, boosted to rt 80'];
  const boosts = lane({ id: 'task1213.3', depth: 3, t: [5], duration_ns: [10], symbol_idx: [4] });
  const answer = { ...answerOf(lane(), boosts), symbols };
  const [fills, texts] = [new IndexedTexts(), new IndexedTexts()];
  expect(taskItems(boosts, answer, INKS, fills, texts).fill.map((fill) => fills.all[fill ?? -1])).toEqual([
    'boost',
  ]);
  expect(itemName(boosts, 0, answer)).toBe('rt 10, boosted to rt 80');
  expect(boostAt(answer, 1213, 10)).toBe('rt 10, boosted to rt 80');
  expect([boostAt(answer, 1213, 20), boostAt(answer, 7, 10)]).toEqual([undefined, undefined]);
});

const named = (comm: string, pid: number) => shortTaskName(lane({ task: { pid, comm, prio: null } }));

test('a name that is too long loses its end, never its pid', () => {
  expect(named('sh', 7)).toBe('sh-7');
  expect(named('cyclictest', 1213)).toBe('cyclictest-1213');
  expect(named('stress-ng-timer', 41_213)).toBe('stress-n…-41213');
  expect(named('', 12)).toBe('pid 12');
});
