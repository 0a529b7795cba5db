import { expect, test } from 'vitest';
import type { TimelineAnswer } from '../../../api/lanes';
import { bareLane, KINDS } from '../../../components/lanes/timeline.fixture';
import { withOtherCpus } from './withOtherCpus';

const answerOf = (own: Partial<TimelineAnswer>): TimelineAnswer => ({
  start: 0,
  end: 1_000,
  width: 100,
  cpus: [0, 1],
  tasks: [],
  symbols: [],
  lanes: [],
  counters: [],
  losses: [],
  notes: [],
  hidden_lanes: 0,
  kinds: KINDS.map((kind, code) => ({ ...kind, code })),
  ...own,
});
const lane = (cpu: number, t: readonly number[], task_idx: readonly number[]) =>
  bareLane({ id: `cpu${cpu}.sched`, cpu, kind: 'sched', t, duration_ns: t.map(() => 100), task_idx });
const counter = (cpu: number | null, value: number) => ({
  name: 'cpu_frequency',
  unit: null,
  cpu,
  t: [0],
  value: [value],
});

const WHOLE = answerOf({
  tasks: [{ pid: 7, comm: 'sh', cpu: null }],
  lanes: [lane(0, [0, 900], [0, 0]), lane(1, [0, 100, 500, 900], [0, 0, 0, 0])],
  counters: [counter(0, 1), counter(1, 2), counter(null, 3)],
});
const PART = answerOf({
  start: 150,
  end: 600,
  tasks: [{ pid: 9, comm: 'dd', cpu: null }],
  lanes: [lane(0, [200], [0])],
  counters: [counter(0, 4)],
  onlyCpus: [0],
});

test('CPUs that were not asked for are there as the whole trace has them', () => {
  const { lanes, tasks, counters } = withOtherCpus(PART, WHOLE);
  expect(lanes.map(({ id, t }) => [id, t])).toEqual([
    ['cpu0.sched', [200]],
    ['cpu1.sched', [100, 500]],
  ]);
  expect(lanes.map(({ task_idx: names }) => tasks[names[0] ?? -1]?.comm)).toEqual(['dd', 'sh']);
  expect(counters.map(({ cpu, value }) => [cpu, value[0]])).toEqual([
    [0, 4],
    [1, 2],
    [null, 3],
  ]);
});

test('an answer about all CPUs is all that there is', () => {
  const all = answerOf({ lanes: [lane(0, [1], [0])] });
  expect(withOtherCpus(all, WHOLE)).toBe(all);
  expect(withOtherCpus(PART, undefined)).toBe(PART);
});
