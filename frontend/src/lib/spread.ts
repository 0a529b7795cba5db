/** How many samples fell into `[low_ns, high_ns)`. */
export interface Bar {
  readonly low_ns: number;
  readonly high_ns: number;
  readonly count: number;
}

/** What is drawn of the samples of one group. */
export interface Spread {
  /** `null` where all samples are one group. */
  readonly group: {
    readonly label: string;
    /** What the samples are grouped by: `pid`, `cpu`. */
    readonly name?: string;
  } | null;
  readonly count: number;
  readonly min_ns: number;
  readonly max_ns: number;
  readonly p99_ns: number;
  readonly p99_9_ns: number;
  readonly p99_99_ns: number;
  readonly p99_999_ns: number;
  readonly histogram: readonly Bar[];
  /** Sorted samples against their rank from 0, thinned; the shortest and the longest are always there. */
  readonly shelves: { readonly rank: readonly number[]; readonly duration_ns: readonly number[] };
}
