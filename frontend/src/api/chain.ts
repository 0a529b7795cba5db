/** Links of a chain as `why` of a case has them; docs/latencies.md says what each mechanism means. */
export interface ChainLink {
  readonly start: number;
  readonly duration_ns: number;
  readonly mechanism: string;
  readonly also: readonly string[];
  readonly subject: ChainSubject | null;
  readonly sentence: string;
  readonly evidence: readonly ChainEvidence[];
  readonly certainty: string;
  readonly bounds: { readonly from: number; readonly to: number } | null;
  readonly normal: ChainNormal | null;
  readonly deeper: ChainDeeper | null;
}

export interface ChainSubject {
  readonly kind: string;
  readonly name: string;
  readonly pid: number | null;
  readonly cpu: number | null;
  readonly prio: number | null;
}

export interface ChainEvidence {
  readonly t: number;
  readonly cpu: number;
  readonly seq: number;
  readonly event: string;
  readonly url: string;
}

/** The same thing elsewhere in the trace; a rank of 1 is the longest. */
export interface ChainNormal {
  readonly count: number;
  readonly median_ns: number;
  readonly p99_ns: number;
  readonly rank: number;
}

/** What a link hangs on: a case of its own, or the links of its chain. */
export interface ChainDeeper {
  readonly case: string | null;
  readonly url: string | null;
  readonly links: readonly ChainLink[] | null;
}
