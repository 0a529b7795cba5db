/** The part of a server's answer that drawing lanes needs; the API's own types have all of it. */
export interface TaskName {
  readonly pid: number | null;
  readonly comm: string;
}

/** Columns of one lane: a row for each slice, or for each bucket where slices would be too narrow. */
export interface TimelineLane {
  readonly id: string;
  /** `null` on the lanes of a task. */
  readonly cpu: number | null;
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
  /** Whose lane it is, where it is none of a CPU. */
  readonly task?: LaneTask | null;
  /** Of a task's slices: the CPU that it runs on, or was last on. */
  readonly on_cpu?: readonly number[] | null;
  /** Of a task's buckets: time in which it wanted to run and did not. */
  readonly waiting_ns?: readonly number[] | null;
}

/** A lane of a CPU. */
export type CpuLane = TimelineLane & { readonly cpu: number };

export const isOfCpu = (lane: TimelineLane): lane is CpuLane => lane.cpu !== null;

export interface LaneTask {
  readonly pid: number;
  readonly comm: string;
  readonly prio: number | null;
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
  /** Labels of its rows by depth, where depth says what a slice is about; empty where it says how slices nest. */
  readonly rows: readonly string[];
  /** Names of the events that begin and that end its slices. */
  readonly begins: readonly string[];
  readonly ends: readonly string[];
}

export interface TimelineAnswer {
  /** In the order in which the lanes of a CPU are drawn. */
  readonly kinds: readonly SliceKind[];
  readonly tasks: readonly TaskName[];
  readonly symbols: readonly string[];
  readonly lanes: readonly TimelineLane[];
  readonly counters: readonly CounterSeries[];
  readonly losses: readonly Loss[];
}

/** The kind of a lane. One that the catalog lacks, as of a newer server, goes by its own name and has no colour. */
export function kindOf({ kind }: Pick<TimelineLane, 'kind'>, kinds: readonly SliceKind[]): SliceKind {
  const listed = kinds.find(({ name }) => name === kind);
  return listed ?? { name: kind, lane: kind, title: kind, colour: '', rows: [], begins: [], ends: [] };
}

/** Whether the slices of a lane are tasks that run. */
export function isOfTasks(
  lane: Pick<TimelineLane, 'kind'>,
  { kinds }: Pick<TimelineAnswer, 'kinds'>,
): boolean {
  return kindOf(lane, kinds).colour === 'task';
}
