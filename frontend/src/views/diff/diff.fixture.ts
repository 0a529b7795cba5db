import type { Contribution, DiffAnswer, DiffColumns, DiffRows, DiffSide } from '../../api/diff';

/** `name status depth abnormal normal self`, one row a line, in order; `-` where a side does not have it. */
export function columnsOf(lines: readonly string[]): DiffRows {
  const rows = lines.map((line) => line.split(' '));
  const numbers = (at: number) => rows.map((words) => (words[at] === '-' ? null : Number(words[at])));
  const depth = rows.map((words) => Number(words[2]));
  const [abnormal, normal, self] = [numbers(3), numbers(4), numbers(5).map((value) => value ?? 0)];
  return {
    id: rows.map((_, index) => index),
    parent: depth.map((own, index) => (own === 0 ? null : depth.lastIndexOf(own - 1, index))),
    depth,
    name: rows.map(([name]) => name ?? ''),
    other_name: rows.map(() => null),
    status: rows.map(([, status]) => (status === 'interrupt' ? 'matched' : (status ?? ''))),
    kind: rows.map(([, status]) => (status === 'interrupt' ? 'interrupt' : 'call')),
    abnormal: sideOf(abnormal),
    normal: sideOf(normal),
    delta_ns: abnormal.map((value, index) => (value ?? 0) - (normal[index] ?? 0)),
    self_delta_ns: self,
    is_ambiguous: rows.map(() => false),
    largest_ns: self.map((own, index) => {
      const end = depth.findIndex((other, at) => at > index && other <= (depth[index] ?? 0));
      const below = self.slice(index, end < 0 ? undefined : end);
      return below.reduce((most, value) => Math.max(most, Math.abs(value)), Math.abs(own));
    }),
    hit: rows.map(() => null),
  };
}

const sideOf = (duration_ns: readonly (number | null)[]): DiffColumns => ({
  count: duration_ns.map((value) => (value === null ? 0 : 1)),
  start_ns: duration_ns.map((value, index) => (value === null ? null : index)),
  duration_ns: [...duration_ns],
});

const SIDE: DiffSide = {
  trace: 'abcdefghijkl',
  trace_name: 'Timer interrupt, abnormal',
  id: 'call-cpu1@0.0',
  title: 'smp_apic_timer_interrupt on CPU 1',
  cpu: 1,
  pid: null,
  comm: null,
  t: 0,
  duration_ns: 63_996,
  url: 'http://localhost/t/abcdefghijkl/calls?call=call-cpu1@0.0',
  set: null,
};

const EXTRA: Contribution = {
  names: ['hrtimer_start_range_ns'],
  under: 'enqueue_task_rt',
  path: ['smp_apic_timer_interrupt', 'enqueue_task_rt', 'hrtimer_start_range_ns'],
  row: 3,
  delta_ns: 7505,
  count: 1,
  is_interrupt: false,
  repeat: 'new',
  hit: [],
  sentence: '+7.505 µs: hrtimer_start_range_ns under enqueue_task_rt, only in the abnormal run',
  seen: null,
  distance_mad: null,
};

/** A timer interrupt that started a timer of its own, against one that did not. */
export const DIFF: DiffAnswer = {
  abnormal: SIDE,
  normal: { ...SIDE, trace: 'mnopqrstuvwx', trace_name: 'Timer interrupt, normal', duration_ns: 53_940 },
  kind: 'calls',
  unit: 'ns',
  delta_ns: 10_056,
  summary: '+10.06 µs: 7.51 µs in calls missing from the normal run (hrtimer_start_range_ns).',
  by_events: null,
  causes: [],
  stages: [],
  shapes: [],
  noise_floor_ns: 100,
  is_doubtful: true,
  guard: [
    { name: 'host', abnormal: null, normal: null, is_doubtful: false, sentence: 'The hosts are not known.' },
    {
      name: 'clock',
      abnormal: 'local',
      normal: 'mono',
      is_doubtful: true,
      sentence: 'The clocks are local and mono.',
    },
  ],
  contributions: {
    only_one_side: [EXTRA],
    slower: [
      { ...EXTRA, names: ['enqueue_task_rt'], under: 'smp_apic_timer_interrupt', row: 2, delta_ns: 2487 },
    ],
    below_floor: { count: 0, delta_ns: 0 },
  },
  rows: columnsOf([
    'smp_apic_timer_interrupt matched 0 63996 53940 -21',
    'irq_enter matched 1 8986 8901 85',
    'enqueue_task_rt matched 1 18024 8032 2487',
    'hrtimer_start_range_ns added 2 7505 - 7505',
  ]),
  rows_hidden: { count: 0, delta_ns: 0 },
  notes: [],
  url: 'http://localhost/diff',
};
