/** A histogram as `cyclictest -h` prints it: 1,000 cycles of `usual` µs, of which twenty are as long as `longest`. */
export function histogram(run: number, usual: number, longest: number): string {
  const counts = new Map([
    [usual, 960 + run],
    [usual + 1, 20 - run],
    [longest, 20],
  ]);
  const lines = Array.from({ length: 200 }, (_, at) => {
    const digits = (value: number) => value.toString().padStart(6, '0');
    return `${digits(at)} ${digits(counts.get(at) ?? 0)}`;
  });
  return [
    '# Histogram',
    ...lines,
    '# Total: 000001000',
    `# Min Latencies: ${usual}`,
    `# Avg Latencies: ${usual}`,
    `# Max Latencies: ${longest}`,
    '# Histogram Overflows: 00000',
    '# Histogram Overflow at cycle number:',
    '# Thread 0:',
    '',
  ].join('\n');
}
