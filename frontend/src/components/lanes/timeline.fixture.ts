import type { SliceKind, TimelineAnswer, TimelineLane } from './laneAnswer';

/** A lane without the columns that only some lanes have. */
export function bareLane(
  lane: Partial<TimelineLane> & Pick<TimelineLane, 'id' | 'cpu' | 'kind' | 't' | 'duration_ns'>,
): TimelineLane {
  const unknown = lane.t.map(() => null);
  return {
    depth: 0,
    detail: 'slices',
    task_idx: unknown,
    symbol_idx: unknown,
    self_ns: null,
    count: null,
    busy_ns: null,
    max_ns: null,
    max_start: null,
    ...lane,
  };
}

const kind = (
  name: string,
  lane: string,
  title: string,
  colour: string,
  more: Partial<SliceKind> = {},
): SliceKind => ({ name, lane, title, colour, rows: [], begins: [], ends: [], ...more });

const NOISES = ['thread noise', 'hw noise', 'softirq noise', 'irq noise', 'nmi noise'];

/** Kinds as a server's catalog lists them. */
export const KINDS: readonly SliceKind[] = [
  kind('sched', 'running', 'Running task', 'task', { begins: ['sched_switch'], ends: ['sched_switch'] }),
  kind('irq', 'irq', 'Interrupt', 'irq', { begins: ['irq_handler_entry'], ends: ['irq_handler_exit'] }),
  kind('softirq', 'softirq', 'Softirq', 'softirq', { begins: ['softirq_entry'], ends: ['softirq_exit'] }),
  kind('irqsoff', 'irqs off', 'Interrupts off', 'irqs_off'),
  kind('preemptoff', 'preempt off', 'Preemption off', 'preempt_off', {
    begins: ['preempt_disable'],
    ends: ['preempt_enable'],
  }),
  kind('noise', 'noise', 'Noise reported by the tracer', 'source', { rows: NOISES }),
  kind('idle', 'idle', 'Idle state', 'state', { begins: ['cpu_idle'], ends: ['cpu_idle'] }),
  kind('task', 'task', 'State of a task', 'task_state', {
    begins: ['sched_switch', 'sched_waking', 'sched_wakeup'],
    ends: ['sched_switch', 'sched_waking', 'sched_wakeup'],
  }),
];

/** Two CPUs for 10 µs: a task that is interrupted on CPU 0, and CPU 1 summed up in buckets. */
export const FIXTURE: TimelineAnswer = {
  kinds: KINDS,
  tasks: [
    { pid: 0, comm: '<idle>' },
    { pid: 1213, comm: 'cyclictest' },
    { pid: 12, comm: 'ksoftirqd/0' },
  ],
  symbols: ['local_timer', 'NET_RX', 'state=1'],
  lanes: [
    bareLane({
      id: 'cpu0.sched',
      cpu: 0,
      kind: 'sched',
      t: [0, 1_000, 6_000],
      duration_ns: [1_000, 5_000, 4_000],
      task_idx: [0, 1, 2],
    }),
    bareLane({
      id: 'cpu0.irq',
      cpu: 0,
      kind: 'irq',
      t: [500, 3_000],
      duration_ns: [200, 300],
      symbol_idx: [0, 0],
      self_ns: [200, 250],
    }),
    bareLane({
      id: 'cpu1.sched',
      cpu: 1,
      kind: 'sched',
      detail: 'buckets',
      t: [0, 5_000],
      duration_ns: [5_000, 5_000],
      task_idx: [1, 2],
      count: [3, 1],
      busy_ns: [2_500, 400],
      max_ns: [2_000, 400],
      max_start: [700, 6_100],
    }),
  ],
  counters: [{ name: 'cpu_frequency', unit: 'kHz', cpu: 1, t: [0, 4_000], value: [800_000, 2_400_000] }],
  losses: [{ cpu: 1, start: 8_000, end: 9_000 }],
};
