import type { TaskName } from '../lanes/laneAnswer';

/** Columns of the calls of one CPU or task at one depth: a row for each call, or for each bucket of too narrow ones. */
export interface CallLane {
  readonly id: string;
  readonly depth: number;
  readonly cpu?: number | null;
  readonly lane_task_idx?: number | null;
  readonly detail: string;
  readonly t: readonly number[];
  readonly duration_ns: readonly number[];
  readonly symbol_idx: readonly (number | null)[];
  readonly self_ns?: readonly number[] | null;
  readonly count?: readonly number[] | null;
  readonly busy_ns?: readonly number[] | null;
  readonly max_ns?: readonly number[] | null;
  readonly max_start?: readonly number[] | null;
  readonly call_id?: readonly string[] | null;
}

/** The part of a server's answer that drawing calls needs; the API's own types have all of it. */
export interface CallsAnswer {
  readonly tasks: readonly (TaskName & { readonly cpu?: number | null })[];
  readonly symbols: readonly string[];
  readonly lanes: readonly CallLane[];
}
