interface Loaded {
  readonly worst: { readonly kind: string } | null;
  readonly slice_count: number | null;
  readonly call_count: number | null;
  readonly time_origin: string | null;
}

/** Whether it is a file of what a program measured: there is nothing in it that ran. */
export function isMeasurement({ worst, slice_count, call_count }: Loaded): boolean {
  return worst?.kind === 'measured' && slice_count === 0 && call_count === 0;
}

/** Bars of a histogram lie a nanosecond apart, cycles their interval. */
const LEAST_INTERVAL_NS = 1000;

/** Whether values lie one after the other only because they have to lie somewhere. */
export function hasNoTimes(
  { time_origin, duration_ns }: Pick<Loaded, 'time_origin'> & { readonly duration_ns: number | null },
  count: number,
): boolean {
  return time_origin === 'derived' && (duration_ns ?? 0) < LEAST_INTERVAL_NS * count;
}
