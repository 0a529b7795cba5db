/** The shapes of the answers about a comparison. */

export interface DiffSide {
  readonly trace: string;
  readonly trace_name: string;
  readonly id: string;
  readonly title: string;
  readonly cpu: number | null;
  readonly pid: number | null;
  readonly comm: string | null;
  readonly t: number | null;
  readonly duration_ns: number;
  readonly url: string;
}

export interface NormalSet {
  readonly count: number;
  readonly median_ns: number;
  readonly mad_ns: number;
  readonly min_ns: number;
  readonly max_ns: number;
  /** Instances that were aligned; the others only count in the statistics of the whole. */
  readonly used: number;
}

export interface DiffGuard {
  readonly name: string;
  readonly abnormal: string | null;
  readonly normal: string | null;
  readonly is_doubtful: boolean;
  readonly sentence: string;
}

export interface Contribution {
  readonly names: readonly string[];
  readonly under: string | null;
  readonly path: readonly string[];
  readonly row: number;
  readonly delta_ns: number;
  readonly count: number;
  readonly is_interrupt: boolean;
  readonly sentence: string;
  readonly seen_a: number | null;
  readonly of_a: number | null;
  readonly seen_b: number | null;
  readonly of_b: number | null;
  readonly distance_mad: number | null;
}

/** One array a column, callers before what they call. */
export interface DiffColumns {
  readonly id: readonly number[];
  readonly parent: readonly (number | null)[];
  readonly depth: readonly number[];
  readonly name: readonly string[];
  readonly other_name: readonly (string | null)[];
  readonly status: readonly string[];
  readonly kind: readonly string[];
  readonly count_a: readonly number[];
  readonly count_b: readonly number[];
  readonly a_start_ns: readonly (number | null)[];
  readonly b_start_ns: readonly (number | null)[];
  readonly a_ns: readonly (number | null)[];
  readonly b_ns: readonly (number | null)[];
  readonly delta_ns: readonly number[];
  readonly self_delta_ns: readonly number[];
  readonly is_ambiguous: readonly boolean[];
  readonly largest_ns: readonly number[];
  readonly seen_a?: readonly number[] | null;
  readonly of_a?: readonly number[] | null;
  readonly seen_b?: readonly number[] | null;
  readonly of_b?: readonly number[] | null;
  readonly median_b_ns?: readonly (number | null)[] | null;
  readonly mad_b_ns?: readonly (number | null)[] | null;
}

export interface DiffAnswer {
  readonly abnormal: DiffSide;
  readonly normal: DiffSide | null;
  readonly normal_set: NormalSet | null;
  readonly kind: 'calls' | 'events';
  readonly a_ns: number;
  readonly b_ns: number;
  readonly delta_ns: number;
  readonly summary: string;
  readonly is_doubtful: boolean;
  readonly guard: readonly DiffGuard[];
  readonly contributions: {
    readonly only_one_side: readonly Contribution[];
    readonly slower: readonly Contribution[];
    readonly below_floor: { readonly count: number; readonly delta_ns: number };
  };
  readonly rows: DiffColumns;
  readonly rows_hidden: { readonly count: number; readonly delta_ns: number };
  readonly notes: readonly string[];
  readonly url: string;
}
