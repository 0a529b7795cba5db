/** A line for each microsecond below the limit, with a column for each thread. */
export function histogramLines(threads: readonly ReadonlyMap<number, number>[], limit: number): string[] {
  return Array.from({ length: limit }, (_, us) =>
    [
      `${digits(us)} ${digits(threads[0]?.get(us) ?? 0)}`,
      ...threads.slice(1).map((one) => digits(one.get(us) ?? 0)),
    ].join('\t'),
  );
}

const digits = (value: number) => value.toString().padStart(6, '0');

/** What `cyclictest -h 200` prints for one thread that needed so many microseconds so many times. */
export function histogramText(counts: ReadonlyMap<number, number>): string {
  const taken = [...counts].filter(([, count]) => count > 0).map(([us]) => us);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [
    '# Histogram',
    ...histogramLines([counts], 200),
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
