/** The columns of a lane that is summed up in cells. */
export interface BusyCells {
  readonly duration_ns: readonly number[];
  readonly busy_ns?: readonly number[] | null;
}

/** How much of each cell was busy, 0..1. */
export function busyShares({ duration_ns, busy_ns }: BusyCells): readonly number[] {
  return duration_ns.map((duration, index) => (busy_ns?.[index] ?? 0) / Math.max(1, duration));
}
