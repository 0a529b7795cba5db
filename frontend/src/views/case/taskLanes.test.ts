import { expect, test } from 'vitest';
import { CASE } from '../../api/latencies.fixture';
import type { CaseEvent } from '../../api/latencyTypes';
import { fillLanes, planLanes } from '../../components/lanes/laneModel';
import { timelineScene } from '../../components/lanes/timelineScene';
import { taskColour } from '../../lib/colour';
import { PALETTES } from '../../lib/palette';
import { bareLane, FIXTURE } from '../../components/lanes/timeline.fixture';
import { caseCpus, caseTasks, taskStretches, wakingOf, withRoles } from './taskLanes';

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

test('of two threads of one name, the one that waited is outlined and the one it waited for is in the accent', () => {
  const twins = { ...FIXTURE, tasks: [...FIXTURE.tasks, { pid: 1214, comm: 'cyclictest' }] };
  const other = { ...lane, t: [3_000, 6_000, 9_500], duration_ns: [1_000, 500, 500], task_idx: [1, 3, 3] };
  const lanes = fillLanes(planLanes([{ ...twins, lanes: [other] }], { cpu: [], hide: ['counter'] }), {
    ...twins,
    lanes: [other],
  });
  const look = { name: 'dark', palette: PALETTES.dark } as const;
  const within = { t: 1_000, end: 9_000 };
  const roles = { victim: 1213, culprits: { pids: new Set([1214]), handlers: new Set<string>() }, within };
  const scene = withRoles(timelineScene(lanes, twins, look), lanes, twins, roles, look);
  expect(scene.rows[0]?.items.look).toEqual(['outlined', 'filled', 'filled']);
  const [, inside, after] = scene.rows[0]?.items.fill.map((fill) => scene.fills[fill ?? -1]) ?? [];
  expect(inside).toBe(PALETTES.dark.late);
  expect(after).toBe(taskColour('cyclictest', 'dark', 1214));
});

test('an interrupt that a case waited for is in the accent while it lasts', () => {
  const lanes = fillLanes(planLanes([FIXTURE], { cpu: [0], hide: ['counter'] }), FIXTURE);
  const look = { name: 'dark', palette: PALETTES.dark } as const;
  const culprits = { pids: new Set<number>(), handlers: new Set(['local_timer']) };
  const roles = { victim: 1213, culprits, within: { t: 2_000, end: 9_000 } };
  const scene = withRoles(timelineScene(lanes, FIXTURE, look), lanes, FIXTURE, roles, look);
  const irq = scene.rows.find((_, at) => lanes[at]?.lane?.id === 'cpu0.irq');
  const [before, inside] = irq?.items.fill.map((fill) => scene.fills[fill ?? -1]) ?? [];
  expect([before === PALETTES.dark.late, inside === PALETTES.dark.late]).toEqual([false, true]);
});

test('where slices are summed up, the buckets that a task ran most of stay on its lane', () => {
  const buckets = {
    ...lane,
    detail: 'buckets',
    t: [0, 1_000],
    duration_ns: [1_000, 1_000],
    task_idx: [1, 0],
    busy_ns: [900, 800],
    max_ns: [250, 700],
  };
  const comes = event(700, 'sched_switch', { next_pid: 1213 });
  const early = event(100, 'sched_waking', { pid: 1213 });
  expect(taskStretches(task, { ...FIXTURE, lanes: [buckets] }, [early, comes])).toEqual([
    { start: 0, end: 1_000, cpu: 0, ratio: 0.25 },
    { start: 100, end: 700 },
  ]);
});

test('a task that blocks does not wait, nor does one whose end is not known', () => {
  const blocked = { ...PREEMPTED, args: { ...PREEMPTED.args, prev_state: 'S' } };
  const woken = event(8_700, 'sched_waking', { pid: 1213 });
  expect(taskStretches(task, answer, [blocked, woken]).every(({ cpu }) => cpu === 0)).toBe(true);
  expect(taskStretches(task, FIXTURE, []).map(({ start }) => start)).toEqual([0, 1_000]);
});
