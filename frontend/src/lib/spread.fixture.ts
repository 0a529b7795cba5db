import type { Spread } from './spread';

/** The value that a share of the samples do not exceed. */
export function quantile(durations: readonly number[], share: number): number {
  const sorted = durations.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** A group of samples with all but the longest in one bar. */
export function spread(label: string | null, durations: readonly number[]): Spread {
  const sorted = durations.toSorted((a, b) => a - b);
  return {
    group: label === null ? null : { label },
    count: sorted.length,
    min_ns: quantile(sorted, 0),
    max_ns: quantile(sorted, 1),
    p99_ns: quantile(sorted, 0.99),
    p99_9_ns: quantile(sorted, 0.999),
    p99_99_ns: quantile(sorted, 0.9999),
    p99_999_ns: quantile(sorted, 0.99999),
    histogram: [
      { low_ns: 1024, high_ns: 2048, count: sorted.length - 1 },
      { low_ns: 16_384, high_ns: 32_768, count: 1 },
    ],
    shelves: { rank: sorted.map((_, rank) => rank), duration_ns: sorted },
  };
}
