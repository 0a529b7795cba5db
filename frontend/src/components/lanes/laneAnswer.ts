/** What a server's answer says about lanes, as far as drawing them needs it; the API's own types have all of it. */
export interface TaskName {
  readonly pid: number | null;
  readonly comm: string;
}

/** Columns of one lane: a row for each slice, or for each bucket where slices would be too narrow. */
export interface TimelineLane {
  readonly id: string;
  readonly cpu: number;
  readonly kind: string;
  readonly depth: number;
  readonly detail: string;
  readonly t: readonly number[];
  readonly duration_ns: readonly number[];
  readonly task_idx: readonly (number | null)[];
  readonly symbol_idx: readonly (number | null)[];
  readonly self_ns?: readonly number[] | null;
  readonly count?: readonly number[] | null;
  readonly busy_ns?: readonly number[] | null;
  readonly max_ns?: readonly number[] | null;
  readonly max_start?: readonly number[] | null;
}

/** What one task does: without a symbol it runs, else it is runnable, preempted or blocked. */
export interface TaskLane extends Omit<TimelineLane, 'cpu'> {
  readonly task: { readonly pid: number; readonly comm: string; readonly prio: number | null };
  /** Of slices: where it runs, or was last. */
  readonly on_cpu?: readonly number[] | null;
  /** Of buckets: time in which it wanted to run and did not. */
  readonly waiting_ns?: readonly number[] | null;
}

export interface CounterSeries {
  readonly name: string;
  readonly unit: string | null;
  readonly cpu: number | null;
  readonly t: readonly number[];
  readonly value: readonly number[];
}

export interface Loss {
  readonly cpu: number | null;
  readonly start: number;
  readonly end: number;
}

/** A kind of slices as the server's catalog has it. */
export interface SliceKind {
  readonly name: string;
  /** Label of its lanes. */
  readonly lane: string;
  /** What one slice of it is. */
  readonly title: string;
  /** A colour of the palette (`irqs_off`), or what of the slice decides on it: `task`, `source`, `state`. */
  readonly colour: string;
}

export interface TimelineAnswer {
  /** In the order in which the lanes of a CPU are drawn. */
  readonly kinds: readonly SliceKind[];
  readonly tasks: readonly TaskName[];
  readonly symbols: readonly string[];
  readonly lanes: readonly TimelineLane[];
  /** Of the tasks that were asked for. */
  readonly taskLanes: readonly TaskLane[];
  readonly counters: readonly CounterSeries[];
  readonly losses: readonly Loss[];
}
