import { expect, test } from 'vitest';
import { counterAt, fillLanes, itemName, planLanes, presentKinds } from './laneModel';
import { bareLane, FIXTURE } from './timeline.fixture';

const everything = { cpu: [], hide: [] };

function check(choice: Parameters<typeof planLanes>[1], expected: readonly string[]) {
  const plans = planLanes([FIXTURE], choice);
  expect(plans.map(({ id, group, label }) => [group ?? '·', label, id].join(' '))).toEqual(expected);
}

test('rows stand by CPU, then kind, and the first of a CPU names it', () =>
  check(everything, [
    'CPU 0 running cpu0.sched.0',
    '· irq cpu0.irq.0',
    'CPU 1 running cpu1.sched.0',
    '· cpu_frequency kHz cpu1.counter.cpu_frequency',
  ]));

test('kinds and CPUs can be left out', () => {
  check({ cpu: [1], hide: [] }, [
    'CPU 1 running cpu1.sched.0',
    '· cpu_frequency kHz cpu1.counter.cpu_frequency',
  ]);
  check({ cpu: [], hide: ['sched', 'counter'] }, ['CPU 0 irq cpu0.irq.0']);
});

test('rows stay when a window has nothing on them', () => {
  const empty = { ...FIXTURE, lanes: [], counters: [] };
  const plans = planLanes([FIXTURE, empty], everything);
  expect(plans).toHaveLength(4);
  expect(fillLanes(plans, empty).every((lane) => lane.lane === undefined)).toBe(true);
  expect(fillLanes(plans, FIXTURE)[3]?.series?.name).toBe('cpu_frequency');
});

test('a kind whose slices are all nested has a row of its own, and a name', () => {
  const lanes = [1, 2].map((depth) => ({
    ...FIXTURE.lanes[0],
    kind: 'irqsoff',
    depth,
  })) as typeof FIXTURE.lanes; // the fixture has a first lane
  const plans = planLanes([{ ...FIXTURE, lanes, counters: [] }], everything);
  expect(plans.map(({ label, isNested }) => [label, isNested])).toEqual([
    ['irqs off', false],
    ['', true],
  ]);
});

test('noise has a row with a name for each of what made it', () => {
  const lanes = [0, 3].map((depth) =>
    bareLane({ id: `noise${depth}`, cpu: 0, kind: 'noise', depth, t: [0], duration_ns: [5] }),
  );
  const plans = planLanes([{ ...FIXTURE, lanes, counters: [] }], everything);
  expect(plans.map(({ label, isNested }) => [label, isNested])).toEqual([
    ['thread noise', false],
    ['irq noise', false],
  ]);
});

const switchLabels = (answer: typeof FIXTURE) => presentKinds([answer]).map(({ label }) => label);

test('the kinds that occur have switches, in the order of the catalog', () => {
  expect(switchLabels(FIXTURE)).toEqual(['running', 'irq', 'counters']);
  const kinds = FIXTURE.kinds.toReversed();
  expect(switchLabels({ ...FIXTURE, kinds })).toEqual(['irq', 'running', 'counters']);
});

test('a kind that the catalog lacks has lanes and a switch under its own name', () => {
  const answer = {
    ...FIXTURE,
    lanes: [bareLane({ id: 'cpu0.dma', cpu: 0, kind: 'dma', t: [0], duration_ns: [5] }), ...FIXTURE.lanes],
  };
  expect(planLanes([answer], { cpu: [0], hide: [] }).map(({ id, label }) => `${id} ${label}`)).toEqual([
    'cpu0.sched.0 running',
    'cpu0.irq.0 irq',
    'cpu0.dma.0 dma',
  ]);
  expect(planLanes([answer], { cpu: [0], hide: ['dma'] })).toHaveLength(2);
  expect(presentKinds([answer]).map(({ name }) => name)).toEqual(['sched', 'irq', 'dma', 'counter']);
});

test('names come from the dictionaries, and hostile ones are written out', () => {
  const [running, irq] = FIXTURE.lanes;
  if (!running || !irq) throw new Error('the fixture has two lanes');
  expect(itemName(running, 1, FIXTURE)).toBe('cyclictest-1213');
  expect(itemName(irq, 0, FIXTURE)).toBe('local_timer');
  expect(itemName(irq, 0, { ...FIXTURE, symbols: ['\u202e\x1b[31m'] })).toBe('\\u{202e}\\x1b[31m');
});

test('a counter holds its value until the next', () => {
  const [series] = FIXTURE.counters;
  if (!series) throw new Error('the fixture has a counter');
  expect(counterAt(series, 3_999)).toEqual({ value: 800_000, since: 0, until: 4_000 });
  expect(counterAt(series, 4_000)).toEqual({ value: 2_400_000, since: 4_000 });
  expect(counterAt(series, -1)).toBeUndefined();
});
