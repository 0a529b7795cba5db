interface Loaded {
  readonly time_origin: string | null;
  readonly duration_ns: number | null;
}

/** Bars of a histogram lie a nanosecond apart, cycles their interval. */
const LEAST_INTERVAL_NS = 1000;

/** Whether values lie one after the other only because they have to lie somewhere. */
export function hasNoTimes({ time_origin, duration_ns }: Loaded, count: number): boolean {
  return time_origin === 'derived' && (duration_ns ?? 0) < LEAST_INTERVAL_NS * count;
}
