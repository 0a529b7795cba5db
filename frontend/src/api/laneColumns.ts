/** Columns of a lane as the server writes them, without what can be told from the rest. */
export interface PackedColumns {
  readonly detail: string;
  readonly t?: readonly number[] | null;
  readonly duration_ns?: readonly number[] | null;
  readonly task_idx?: readonly (number | null)[] | null;
  readonly symbol_idx?: readonly (number | null)[] | null;
  readonly self_ns?: readonly number[] | null;
  readonly bucket_ns?: number | null;
  readonly bucket_step?: readonly number[] | null;
  readonly max_offset_ns?: readonly number[] | null;
}

type Packed = 't' | 'duration_ns' | 'task_idx' | 'symbol_idx' | 'bucket_ns' | 'bucket_step' | 'max_offset_ns';

/** A lane as it is drawn: when each slice or bucket begins, and how long it is. */
export type DrawnLane<L extends PackedColumns> = Omit<L, Packed> & {
  readonly t: readonly number[];
  readonly duration_ns: readonly number[];
  readonly task_idx: readonly (number | null)[];
  readonly symbol_idx: readonly (number | null)[];
  /** Of buckets: the start of the longest slice that touches each. */
  readonly max_start?: readonly number[] | null;
};

/** The window of an answer, which cuts its first and its last bucket. */
interface AnswerWindow {
  readonly start: number;
  readonly end: number;
}

/** `lane` with its columns in full. */
export function drawnLane<L extends PackedColumns>(lane: L, window: AnswerWindow): DrawnLane<L> {
  const { bucket_ns: length, bucket_step: steps, max_offset_ns: offsets, ...rest } = lane;
  if (!length || !steps) {
    const t = lane.t ?? [];
    const duration_ns = lane.duration_ns ?? [];
    // Without others within it, a slice has all of its time itself.
    const full = { ...rest, ...named(lane, t.length), t, duration_ns, self_ns: lane.self_ns ?? duration_ns };
    return full as DrawnLane<L>; // of a generic `Omit`, TypeScript does not see that it has these columns
  }
  const t: number[] = [];
  const duration_ns: number[] = [];
  const max_start: number[] = [];
  let bucket = 0;
  steps.forEach((step, index) => {
    bucket += step;
    const from = bucket * length;
    const start = Math.max(window.start, from);
    t.push(start);
    duration_ns.push(Math.min(window.end, from + length) - start);
    max_start.push(from + (offsets?.[index] ?? 0));
  });
  const full = { ...rest, ...named(lane, t.length), t, duration_ns, max_start };
  return full as DrawnLane<L>; // as above
}

function named({ task_idx: tasks, symbol_idx: symbols }: PackedColumns, rowCount: number) {
  const nobody = tasks && symbols ? [] : Array.from({ length: rowCount }, () => null);
  return { task_idx: tasks ?? nobody, symbol_idx: symbols ?? nobody };
}
