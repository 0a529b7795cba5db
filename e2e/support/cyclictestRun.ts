import { histogramLines } from './cyclictest.ts';

/** What each thread measured in whole microseconds, cycle by cycle. */
export type Threads = readonly (readonly number[])[];

/** Longer latencies are overflows of a histogram. */
export const LIMIT_US = 200;

/** What `cyclictest -v` prints. */
export function verboseText(threads: Threads): string {
  const head = ['Max CPUs = 2', 'Online CPUs = 2', '# /dev/cpu_dma_latency set to 0us'];
  const intervals = threads.map((_, thread) => `Thread ${thread} Interval: ${1000 + 500 * thread}`);
  const pad = (value: number) => value.toString().padStart(8);
  const cycles = threads.flatMap((values, thread) =>
    values.map((us, cycle) => `${pad(thread)}:${pad(cycle)}:${pad(us)}`),
  );
  return [...head, ...intervals, ...cycles, ''].join('\n');
}

/** What `cyclictest -q -h` prints. */
export function histogramsText(threads: Threads): string {
  const five = (value: number) => value.toString().padStart(5, '0');
  const each = (of: (values: readonly number[]) => number) =>
    threads.map((values) => five(of(values))).join(' ');
  const totals = threads.map((values) =>
    values
      .filter((us) => us < LIMIT_US)
      .length.toString()
      .padStart(9, '0'),
  );
  return [
    '# /dev/cpu_dma_latency set to 0us',
    '# Histogram',
    ...histogramLines(threads.map(countsOf), LIMIT_US),
    `# Total: ${totals.join(' ')}`,
    `# Min Latencies: ${each((values) => Math.min(...values))}`,
    `# Avg Latencies: ${each((values) => Math.floor(values.reduce((sum, us) => sum + us, 0) / values.length))}`,
    `# Max Latencies: ${each((values) => Math.max(...values))}`,
    `# Histogram Overflows: ${each((values) => values.filter((us) => us >= LIMIT_US).length)}`,
    '# Histogram Overflow at cycle number:',
    ...threads.map((values, thread) => `# Thread ${thread}: ${overflows(values).map(five).join(' ')}`),
    '',
  ].join('\n');
}

/** What `cyclictest -q -h --json` writes. */
export function jsonText(threads: Threads): string {
  const about = (values: readonly number[], cpu: number) => ({
    histogram: Object.fromEntries([...countsOf(values)].filter(([us]) => us < LIMIT_US)),
    cycles: values.length,
    min: Math.min(...values),
    max: Math.max(...values),
    avg: values.reduce((sum, us) => sum + us, 0) / values.length,
    cpu,
    node: 0,
  });
  const file = {
    file_version: 1,
    'cmdline:': `cyclictest -q -t2 -h ${LIMIT_US} --json=run.json`,
    'rt_test_version:': '2.40',
    return_code: 0,
    num_threads: threads.length,
    resolution_in_ns: 0,
    thread: Object.fromEntries(threads.map((values, thread) => [thread, about(values, thread)])),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** How often each value was measured. */
export function countsOf(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const us of values) counts.set(us, (counts.get(us) ?? 0) + 1);
  return counts;
}

const overflows = (values: readonly number[]) =>
  values.flatMap((us, cycle) => (us >= LIMIT_US ? [cycle] : []));
