import { header } from './recording.ts';

const LAST = 23;
const LENGTH_US = 3_000_000;

interface Task {
  readonly comm: string;
  readonly pid: number;
}
const idleOn = (cpu: number): Task => ({ comm: `swapper/${cpu}`, pid: 0 });

function line(cpu: number, us: number, { comm, pid }: Task, event: string): { us: number; text: string } {
  const task = `${pid === 0 ? '<idle>' : comm}-${pid}`.padStart(16);
  const stamp = `${100 + Math.floor(us / 1e6)}.${String(us % 1e6).padStart(6, '0')}`;
  return { us, text: `${task}       [${String(cpu).padStart(3, '0')}] d..2.   ${stamp}: ${event}\n` };
}

const switched = (cpu: number, us: number, prev: Task, next: Task) =>
  line(
    cpu,
    us,
    prev,
    `sched_switch: prev_comm=${prev.comm} prev_pid=${prev.pid} prev_prio=120 prev_state=S ==> next_comm=${next.comm} next_pid=${next.pid} next_prio=120`,
  );

/** A task that runs on a CPU from time to time, so often that the whole trace shows only how busy the CPU is. */
function busy(cpu: number, everyUs: number) {
  const task = { comm: `work${cpu}`, pid: 100 + cpu };
  return Array.from({ length: Math.floor(LENGTH_US / everyUs) }, (_, at) => at * everyUs)
    .filter((us) => us < 1_485_000 || us > 1_515_000)
    .flatMap((us) => [
      switched(cpu, us, idleOn(cpu), task),
      switched(cpu, us + Math.floor(everyUs / 2), task, idleOn(cpu)),
    ]);
}

/**
 * Three seconds of 24 CPUs, more than a page asks for at once. In the middle of it, what runs on the first of them wakes a
 * task that then runs for 20 ms on the last.
 */
export function manyCpus(): string {
  const [waker, late] = [
    { comm: 'waker', pid: 7 },
    { comm: 'late', pid: 9 },
  ];
  const lines = [
    ...Array.from({ length: LAST + 1 }, (_, cpu) => busy(cpu, cpu === LAST ? 2_000 : 100_000)).flat(),
    switched(0, 1_486_000, idleOn(0), waker),
    line(0, 1_489_000, waker, `sched_waking: comm=late pid=9 prio=120 target_cpu=0${LAST}`),
    switched(0, 1_492_000, waker, idleOn(0)),
    switched(LAST, 1_490_000, idleOn(LAST), late),
    switched(LAST, 1_510_000, late, idleOn(LAST)),
  ];
  const text = lines.toSorted((a, b) => a.us - b.us).map((one) => one.text);
  return header.replace('#P:2', `#P:${LAST + 1}`) + text.join('');
}
