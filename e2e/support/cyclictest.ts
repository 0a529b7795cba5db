/** What `cyclictest -h 200` prints for one thread that needed so many microseconds so many times. */
export function histogramText(counts: ReadonlyMap<number, number>): string {
  const digits = (value: number) => value.toString().padStart(6, '0');
  const taken = [...counts].filter(([, count]) => count > 0).map(([us]) => us);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [
    '# Histogram',
    ...Array.from({ length: 200 }, (_, at) => `${digits(at)} ${digits(counts.get(at) ?? 0)}`),
    `# Total: ${total.toString().padStart(9, '0')}`,
    `# Min Latencies: ${Math.min(...taken)}`,
    `# Max Latencies: ${Math.max(...taken)}`,
    '# Histogram Overflows: 00000',
    '# Histogram Overflow at cycle number:',
    '# Thread 0:',
    '',
  ].join('\n');
}

/** 1,000 cycles of `usual` µs, of which twenty are as long as `longest`. */
export function histogram(run: number, usual: number, longest: number): string {
  return histogramText(
    new Map([
      [usual, 960 + run],
      [usual + 1, 20 - run],
      [longest, 20],
    ]),
  );
}
