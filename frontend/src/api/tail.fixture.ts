import type { LatencyTail, TailBand } from './tail';

const band = (
  name: string,
  from_ppm: number,
  to_ppm: number,
  count: number,
  causes: readonly (readonly [string, string, number])[],
): TailBand => {
  const total_ns = causes.reduce((sum, [, , duration]) => sum + duration, 0);
  return {
    name,
    from_ppm,
    to_ppm,
    count,
    total_ns,
    min_ns: from_ppm + 1,
    max_ns: to_ppm,
    causes: causes.map(([cause, what, duration_ns]) => ({
      cause,
      what,
      duration_ns,
      share_ppm: Math.round((duration_ns * 1_000_000) / total_ns),
      mechanisms: [],
    })),
    stages: [],
    mechanisms: [],
    cases: {},
  };
};

/** Ordinary samples of a timer's thread take their time in the interrupt, slow ones wait behind others. */
export const TAIL: LatencyTail = {
  kind: 'cyclic',
  title: 'Cyclic latency',
  count: 1_000,
  total_ns: 5_000,
  unavailable: null,
  resolution_ppm: 15_625,
  edge_error_ppm: 1_200,
  sentence: 'Cyclic latency, the slowest 1 %: 60 % of the time behind hackbench; the others: 5 %.',
  chosen: null,
  bands: [
    band('0-50 %', 0, 500_000, 500, [
      ['irq', 'local_timer', 900],
      ['task', 'hackbench', 50],
      ['idle', 'idle', 50],
    ]),
    band('50-90 %', 500_000, 900_000, 400, [
      ['irq', 'local_timer', 700],
      ['task', 'ksoftirqd', 200],
      ['task', 'hackbench', 100],
    ]),
    band('90-99 %', 900_000, 990_000, 90, [
      ['irqsoff', 'console_unlock', 500],
      ['task', 'hackbench', 300],
      ['irq', 'local_timer', 200],
    ]),
    band('99-99.9 %', 990_000, 1_000_000, 10, [
      ['task', 'hackbench', 600],
      ['irqsoff', 'console_unlock', 300],
      ['irq', 'local_timer', 100],
    ]),
  ],
};
