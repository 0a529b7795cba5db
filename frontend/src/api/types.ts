/** The shapes of the answers, one name for each. */

export type TraceStatus = 'queued' | 'parsing' | 'analysing' | 'ready' | 'failed';

export interface Warning {
  readonly code: string;
  readonly severity: string;
  readonly count: number;
  readonly first_line: number | null;
  readonly first_byte_offset: number;
  readonly sample: string;
  readonly sentence: string;
  readonly remedy: string;
}

export interface WarningLine {
  readonly code: string;
  readonly line: number | null;
  readonly byte_offset: number;
  readonly sample: string;
}

export interface TraceError {
  readonly code: string;
  readonly class: string;
  readonly sentence: string;
  readonly line: number | null;
  readonly byte_offset: number | null;
  readonly excerpt: string;
}

export interface Trace {
  readonly id: string;
  readonly name: string;
  readonly filename: string;
  readonly url: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly status: TraceStatus;
  readonly stage: string | null;
  readonly progress: number;
  readonly format: string | null;
  readonly tracer: string | null;
  readonly kernel: string | null;
  readonly clock: string | null;
  readonly time_unit: string | null;
  readonly time_origin: string | null;
  readonly cpus: readonly number[] | null;
  readonly cpu_count: number | null;
  readonly origin_ns: string | null;
  readonly duration_ns: number | null;
  readonly event_count: number | null;
  readonly call_count: number | null;
  readonly slice_count: number | null;
  readonly lost_events: number | null;
  readonly losses_total: number;
  readonly size_bytes: number;
  readonly expanded_bytes: number | null;
  readonly used_bytes: number | null;
  readonly skipped_bytes: number | null;
  readonly sha256: string;
  readonly facts: Readonly<Record<string, unknown>>;
  /** By analysis that found nothing to work on: the events that would have been needed. */
  readonly missing: Readonly<Record<string, readonly string[]>>;
  readonly warnings: readonly Warning[];
  readonly error: TraceError | null;
  readonly parser_version: string | null;
  readonly created_at: string;
  readonly ready_at: string | null;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

export interface SlowestCall {
  readonly id: string;
  readonly t: number;
  readonly cpu: number;
  readonly pid: number | null;
}

export interface FunctionStat {
  readonly symbol: string;
  readonly module: string | null;
  readonly count: number;
  readonly total_ns: number;
  readonly self_ns: number;
  readonly min_ns: number;
  readonly p50_ns: number;
  readonly p99_ns: number;
  readonly max_ns: number;
  readonly slowest: SlowestCall | null;
}
