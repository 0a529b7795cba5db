import { quantile, spread } from '../lib/spread.fixture';
import type { ChainLink } from './chain';
import type {
  CaseEvent,
  Interference,
  LatencyCase,
  LatencyGroup,
  LatencyItem,
  LatencyKind,
  LatencyTask,
} from './latencyTypes';

// The worked example of a PREEMPT_RT kernel: a timer's thread wakes 18.551 µs late.
const START = 995_449;

export const CYCLIC: LatencyItem = {
  id: 'cyclic-1213@2563695109449',
  kind: 'cyclic',
  t: START,
  end: START + 18_551,
  duration_ns: 18_551,
  unit: 'ns',
  cpu: 1,
  start_cpu: null,
  pid: 1213,
  comm: 'cyclictest',
  key: null,
  flags: [],
  weight: 1,
  detail: 'timer expired on CPU 1',
  headline: 'cyclictest-1213 on CPU 1 woke 18.6 µs late: 9.0 µs from interrupt entry to timer handler',
  is_explained: true,
  url: 'http://127.0.0.1:8000/t/gq3tqmzqmjrd/cases/cyclic-1213@2563695109449',
};

export const IRQSOFF: LatencyItem = {
  ...CYCLIC,
  id: 'irqsoff-cpu6@160330200000',
  kind: 'irqsoff',
  t: 4_000_000,
  end: 14_966_000,
  duration_ns: 10_966_000,
  cpu: 6,
  pid: 6462,
  comm: '<b>sh</b>',
  key: 'console_unlock ← vprintk_emit',
  detail: '',
  headline: 'Interrupts were off for 10.966 ms on CPU 6 in console_unlock ← vprintk_emit (pid 6462)',
  url: 'http://127.0.0.1:8000/t/gq3tqmzqmjrd/cases/irqsoff-cpu6@160330200000',
};

function kind(
  name: string,
  title: string,
  lateness: LatencyKind['lateness'],
  worst: LatencyItem | null,
): LatencyKind {
  const longest = worst?.duration_ns ?? null;
  return {
    kind: name,
    title,
    definition: `What ${name} means, from what to what.`,
    key_name: null,
    lateness,
    groups: ['cpu', 'pid'],
    has_tail: true,
    count: worst ? 1500 : 0,
    min_ns: worst && 1_000,
    mean_ns: worst && 4_000,
    max_ns: longest,
    log2_histogram: worst ? [{ low_ns: 1024, high_ns: 2048, count: 1500 }] : [],
    incomplete: [],
    worst,
    missing: worst ? null : [['ftrace:timerlat', 'timerlat tracer']],
  };
}

/** A thread that measures, and the shell's own. */
export const TASKS: readonly LatencyTask[] = [
  {
    pid: 1213,
    comm: 'cyclictest',
    prio: 19,
    priority_class: 'real_time',
    is_measured: true,
    count: 1_500,
    worst: CYCLIC,
  },
  {
    pid: 60,
    comm: 'sleep',
    prio: 120,
    priority_class: 'fair',
    is_measured: false,
    count: 1,
    worst: { ...CYCLIC, id: 'cyclic-60@1', pid: 60, comm: 'sleep', headline: 'sleep-60 woke late' },
  },
];

export const KINDS: readonly LatencyKind[] = [
  {
    ...kind('cyclic', 'Cyclic latency', 'measured', CYCLIC),
    incomplete: [{ reason: 'lost_events', count: 3, sentence: 'Events were lost between both ends.' }],
  },
  kind('irqsoff', 'Interrupts off', 'late', IRQSOFF),
  kind('timerlat', 'Timer latency', 'measured', null),
];

export function group(label: string | null, durations: readonly number[]): LatencyGroup {
  return {
    ...spread(label, durations),
    group: label === null ? null : { name: 'cpu', value: label, label, folded: null },
    mean_ns: Math.round(durations.reduce((sum, one) => sum + one, 0) / durations.length),
    stdev_ns: 10,
    p50_ns: quantile(durations, 0.5),
    p90_ns: quantile(durations, 0.9),
    worst_id: CYCLIC.id,
  };
}

function event(seq: number, t: number, name: string, marks: Partial<CaseEvent> = {}): CaseEvent {
  return {
    seq,
    t,
    cpu: 1,
    buffer: null,
    pid: 0,
    comm: '<idle>',
    event: name,
    flags: { irqs_off: true, hardirq: true },
    args: { pid: 1213 },
    raw: '',
    is_relevant: false,
    is_key: false,
    ...marks,
  };
}

const STAGES = [
  ['expiry', 'irq entry', 551],
  ['irq entry', 'handler', 9_000],
  ['handler', 'wakeup', 3_000],
  ['wakeup', 'irq exit', 1_000],
  ['irq exit', 'switch', 3_000],
  ['switch', 'user', 2_000],
] as const;

export const CASE: LatencyCase = {
  ...CYCLIC,
  definition: 'From the expiry that was asked for to the return of the sleep.',
  reported_ns: null,
  stages: STAGES.map(([from, to, duration_ns], index) => ({
    name: `${from} → ${to}`,
    from,
    to,
    start_ns: STAGES.slice(0, index).reduce((sum, [, , before]) => sum + before, START),
    duration_ns,
  })),
  blame: [
    { ...blame('irq', 'local_timer', 12_449), where: 'CPU 1' },
    blame('idle', 'state=1', 4_102),
    blame('itself', 'cyclictest-1213', 2_000),
  ],
  evidence: [
    {
      cause: 'irq',
      what: 'local_timer',
      where: 'CPU 1',
      cpu: 1,
      t: 996_000,
      end: 1_009_000,
      duration_ns: 13_000,
      sentence: 'local_timer ran for 13.00 µs and did not reach the handler for 9.000 µs of it.',
    },
  ],
  parts: [{ name: 'irq latency', value: 551, unit: 'ns', what: null, share: null }],
  stack: { t: 1_000_000, cpu: 1, kind: 'kernel', frames: ['hrtimer_wakeup+0x22/0x30', '<b>evil</b>'] },
  stacks: [],
  events: [
    event(0, 900_000, 'sched_switch'),
    event(1, 996_000, 'local_timer_entry', { is_relevant: true }),
    event(2, 1_005_000, 'hrtimer_expire_entry', { is_relevant: true, is_key: true }),
  ],
  events_truncated: false,
  window: { start: 985_000, end: 1_025_000 },
  normal: 'cyclic-1213@2563694109449',
  call: null,
  why: [],
  advice: [],
  record_next: null,
};

const LINK = {
  cpu: 1,
  also: [],
  subject: null,
  is_late: false,
  evidence: [],
  certainty: 'recorded',
  bounds: null,
  normal: null,
  deeper: null,
} as const satisfies Partial<ChainLink>;

const evidence = (seq: number, t: number, name: string) => ({ seq, t, cpu: 1, event: name });

/** What the chain of the worked example looks like; its links tile it. */
export const CHAIN: readonly ChainLink[] = [
  { ...LINK, start: START, duration_ns: 551, mechanism: 'idle_exit', sentence: 'CPU 1 left idle state 1' },
  {
    ...LINK,
    start: 996_000,
    duration_ns: 9_000,
    mechanism: 'stall',
    also: ['slow_clock'],
    subject: { kind: 'interrupt', name: 'local_timer', pid: null, cpu: 1, prio: null },
    sentence: 'CPU 1 stood still inside local_timer',
    is_late: true,
    evidence: [evidence(1, 996_000, 'local_timer_entry'), evidence(2, 1_005_000, 'hrtimer_expire_entry')],
    certainty: 'inferred',
    normal: { count: 1_407, median_ns: 6_100, p99_ns: 7_800, rank: 2 },
  },
  {
    ...LINK,
    start: 1_005_000,
    duration_ns: 7_000,
    mechanism: 'higher_priority',
    subject: { kind: 'task', name: 'hog-170', pid: 170, cpu: 1, prio: 9 },
    sentence: 'waited behind hog-170 (rt 90)',
    certainty: 'bounded',
    bounds: { from: 1_006_000, to: 1_011_000 },
    deeper: {
      case: null,
      url: null,
      links: [
        {
          ...LINK,
          start: 1_005_000,
          duration_ns: 5_000,
          mechanism: 'unknown',
          sentence: 'no record of what woke hog-170',
          is_late: true,
        },
      ],
    },
  },
  {
    ...LINK,
    start: 1_012_000,
    duration_ns: 2_000,
    mechanism: 'own_work',
    sentence: 'returned to user space',
  },
];

function blame(cause: string, what: string, duration_ns: number): LatencyCase['blame'][number] {
  const share = Math.round((duration_ns / CYCLIC.duration_ns) * 1e6) / 1e6;
  return {
    cause,
    what,
    where: null,
    cpu: 1,
    duration_ns,
    share,
    pid: null,
    prio: null,
    first_t: START,
    longest_ns: duration_ns,
  };
}

export const INTERFERENCE: Interference = {
  cpus: [
    {
      cpu: 0,
      is_isolated: false,
      span_ns: 1_000_000_000,
      busy_ns: 400_000_000,
      by: [
        interference('irq', 'local_timer', 250, 2_000_000),
        { ...interference('softirq', 'TIMER', 1, 40_000), period_ns: null },
      ],
    },
    { cpu: 1, is_isolated: true, span_ns: 1_000_000_000, busy_ns: 0, by: [] },
  ],
  tasks: [
    {
      pid: 1213,
      comm: 'cyclictest',
      ran_ns: 10_000_000,
      by: [interference('irq', 'local_timer', 10, 30_000)],
    },
  ],
  ticks: [
    {
      cpu: 0,
      is_handler_known: true,
      count: 250,
      mean_ns: 8_000,
      max_ns: 20_000,
      period_ns: 4_000_000,
      rate_hz_milli: 250_000,
      share: 0.002,
    },
  ],
};

function interference(
  cause: string,
  what: string,
  count: number,
  total_ns: number,
): Interference['cpus'][number]['by'][number] {
  return {
    cause,
    what,
    pid: null,
    count,
    total_ns,
    share: total_ns / 1e9,
    max_ns: Math.round((2 * total_ns) / count),
    max_t: START,
    period_ns: 4_000_000,
  };
}
