import { expect, test } from 'vitest';
import { kindOf, type TimelineLane } from '../../../components/lanes/laneAnswer';
import { KINDS } from '../../../components/lanes/timeline.fixture';
import { boundEvent, type BoundEvent } from './sliceBounds';
import { sliceOfEvent } from './sliceOfEvent';
import { firstOfEach } from './useSlice';

const TASKS = [
  { pid: 7, comm: 'victim' },
  { pid: 8, comm: 'culprit' },
];

function lane(
  kind: string,
  slices: readonly (readonly [number, number, number?])[],
  depth = 0,
): TimelineLane {
  return {
    id: `cpu1.${kind}`,
    cpu: 1,
    kind,
    depth,
    detail: 'slices',
    t: slices.map(([start]) => start),
    duration_ns: slices.map(([start, end]) => end - start),
    task_idx: slices.map(([, , task]) => task ?? null),
    symbol_idx: slices.map(() => null),
  };
}

const ANSWER = {
  kinds: KINDS,
  tasks: TASKS,
  lanes: [
    lane('sched', [
      [0, 100, 0],
      [100, 200, 1],
    ]),
    lane('irq', [[40, 60]]),
    lane('softirq', [[60, 80]]),
    { ...lane('irq', [[50, 51]], 1), cpu: 0 },
  ],
};

const event = (name: string, t: number, args: BoundEvent['args'] = {}, cpu = 1): BoundEvent => ({
  event: name,
  t,
  cpu,
  args,
});
const toSecond = event('sched_switch', 100, { prev_pid: 7, next_pid: 8 });

test.each([
  ['begins', toSecond, 'sched', 100],
  ['ends, where nothing begins', event('sched_switch', 200, { prev_pid: 8, next_pid: 9 }), 'sched', 100],
  ['begins at the stamp where another ends', event('softirq_entry', 60), 'softirq', 60],
  ['ends at the stamp where another begins', event('irq_handler_exit', 60), 'irq', 40],
  ['lies in, the shortest of them', event('hrtimer_cancel', 45), 'irq', 40],
  ['lies in alone', event('sched_waking', 20, { pid: 9 }), 'sched', 0],
])('an event is about the slice that it %s', (_, one, kind, t) => {
  expect(sliceOfEvent(ANSWER, one)).toEqual({ cpu: 1, kind, depth: 0, t });
});

test('an event where nothing is drawn is about no slice', () => {
  expect(sliceOfEvent(ANSWER, event('print', 300))).toBeUndefined();
  expect(sliceOfEvent(ANSWER, event('print', 20, {}, 2))).toBeUndefined();
});

const boundsOf = (kind: string) => kindOf({ kind }, KINDS);

test('every slice is found from the events that begin and end it', () => {
  const spans = [
    { ...boundsOf('sched'), cpu: 1, pid: 8, start: 100, end: 200 },
    { ...boundsOf('task'), pid: 7, start: 10, end: 100 },
    { ...boundsOf('idle'), cpu: 1, start: 5, end: 9 },
    { ...boundsOf('preemptoff'), cpu: 1, start: 5, end: 9 },
  ];
  const events = [
    event('sched_waking', 10, { pid: 9 }),
    event('sched_waking', 10, { pid: 7 }, 0),
    toSecond,
    event('sched_switch', 200, { prev_pid: 8, next_pid: 7 }),
    event('cpu_idle', 5, { state: 1 }),
    event('cpu_idle', 9, { state: 4_294_967_295 }),
    event('preempt_disable', 5),
    event('preempt_enable', 9),
  ];
  expect(spans.map((span) => boundEvent(events, span, 'start')?.event)).toEqual([
    'sched_switch',
    'sched_waking',
    'cpu_idle',
    'preempt_disable',
  ]);
  expect(spans.map((span) => boundEvent(events, span, 'end')?.event)).toEqual([
    'sched_switch',
    'sched_switch',
    'cpu_idle',
    'preempt_enable',
  ]);
});

test('no event of another task or CPU, or of an unknown kind, begins a slice', () => {
  const span = { ...boundsOf('sched'), cpu: 1, pid: 9, start: 100, end: 200 };
  expect(boundEvent([toSecond], span, 'start')).toBeUndefined();
  expect(boundEvent([{ ...toSecond, cpu: 0 }], { ...span, pid: 8 }, 'start')).toBeUndefined();
  expect(boundEvent([toSecond], { ...span, ...boundsOf('from the future') }, 'start')).toBeUndefined();
});

const woken = (name: string, pid: number) => ({ event: name, args: { pid } });

test('a waking with its wakeup counts once, and a wakeup without waking, too', () => {
  const events = [
    woken('sched_waking', 1),
    woken('sched_wakeup', 1),
    woken('sched_wakeup', 2),
    woken('sched_waking', 1),
  ];
  expect(firstOfEach(events)).toEqual([events[0], events[2], events[3]]);
});
