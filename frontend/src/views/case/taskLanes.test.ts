import { expect, test } from 'vitest';
import { CASE } from '../../api/latencies.fixture';
import type { CaseEvent } from '../../api/latencyTypes';
import { fillLanes, planLanes } from '../../components/lanes/laneModel';
import { timelineScene } from '../../components/lanes/timelineScene';
import { PALETTES } from '../../lib/palette';
import { bareLane, FIXTURE } from '../../components/lanes/timeline.fixture';
import { caseCpus, caseTasks, outlined, taskStretches, wakingOf } from './taskLanes';

const TEMPLATE = CASE.events[0];

const event = (
  t: number,
  name: string,
  args: CaseEvent['args'],
  more: Partial<CaseEvent> = {},
): CaseEvent => {
  if (TEMPLATE === undefined) throw new Error('the fixture has events');
  return { ...TEMPLATE, seq: t, t, event: name, args, ...more };
};

const WAKING = event(2_000, 'sched_waking', { pid: 1213 }, { cpu: 3, pid: 77, comm: 'helper', flags: {} });
const WAKEUP = event(2_100, 'sched_wakeup', { pid: 1213 }, { cpu: 3, pid: 77, comm: 'helper', flags: {} });
const PREEMPTED = event(6_000, 'sched_switch', { prev_pid: 1213, prev_state: 'R+', next_pid: 12 });

const of = (events: readonly CaseEvent[], pid: number | null = 1213) => ({
  ...CASE,
  t: 1_000,
  end: 9_000,
  pid,
  events,
});

test('the case has a lane of its task and of the task that woke it, and the CPU it was woken from', () => {
  const woken = of([WAKEUP, WAKING]);
  expect(wakingOf(woken)).toBe(WAKING);
  expect(caseTasks(woken).map(({ pid }) => pid)).toEqual([1213, 77]);
  expect(caseCpus(woken)).toEqual([1, 3]);
});

test.each([
  ['an interrupt', { flags: { hardirq: true } }],
  ['a softirq', { flags: { softirq: true } }],
  ['the idle task', { pid: 0 }],
])('%s that wakes has no lane of a task', (_, more) => {
  expect(caseTasks(of([{ ...WAKING, ...more }])).map(({ pid }) => pid)).toEqual([1213]);
});

test('a task that an interrupt found on its CPU has none either', () => {
  expect(caseTasks(of([event(2_000, 'irq_handler_entry', {})]))).toEqual([]);
  expect(caseTasks(of([WAKING], null))).toEqual([]);
  expect(caseTasks(of([{ ...WAKING, t: 500 }]))).toEqual([]);
});

const lane = bareLane({
  id: 'cpu0.sched',
  cpu: 0,
  kind: 'sched',
  t: [3_000, 8_000],
  duration_ns: [3_000, 500],
  task_idx: [1, 1],
});
const answer = { ...FIXTURE, lanes: [lane] };
const task = { pid: 1213, comm: 'cyclictest' };

test('a task runs, and waits from its waking or its preemption until it runs', () => {
  expect(taskStretches(task, answer, [WAKING, WAKEUP, PREEMPTED])).toEqual([
    { start: 2_000, end: 3_000 },
    { start: 3_000, end: 6_000, cpu: 0 },
    { start: 6_000, end: 8_000 },
    { start: 8_000, end: 8_500, cpu: 0 },
  ]);
});

test('the slices of the task that waited are outlines, those of others of its name are not', () => {
  const twins = { ...FIXTURE, tasks: [...FIXTURE.tasks, { pid: 1214, comm: 'cyclictest' }] };
  const other = { ...lane, task_idx: [1, 3] };
  const lanes = fillLanes(planLanes([{ ...twins, lanes: [other] }], { cpu: [], hide: ['counter'] }), {
    ...twins,
    lanes: [other],
  });
  const look = { name: 'dark', palette: PALETTES.dark } as const;
  const looks = (pid: number | null) =>
    outlined(timelineScene(lanes, twins, look), lanes, twins, pid).rows[0]?.items.look;
  expect(looks(1213)).toEqual(['outlined', 'filled']);
  expect(looks(null)).toBeUndefined();
});

test('a task that blocks does not wait, nor does one whose end is not known', () => {
  const blocked = { ...PREEMPTED, args: { ...PREEMPTED.args, prev_state: 'S' } };
  const woken = event(8_700, 'sched_waking', { pid: 1213 });
  expect(taskStretches(task, answer, [blocked, woken]).every(({ cpu }) => cpu === 0)).toBe(true);
  expect(taskStretches(task, FIXTURE, []).map(({ start }) => start)).toEqual([1_000]);
});
