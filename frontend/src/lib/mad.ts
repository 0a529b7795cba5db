import { TIME, type Clock } from './clock';
import { ns } from './ns';

interface Spread {
  readonly count: number;
  readonly median_ns: number;
  readonly mad_ns: number;
  readonly min_ns: number;
  readonly max_ns: number;
}

/** Of one or two values, the median of their distances from the median is always 0: it says nothing about them. */
const FEWEST_WITH_MAD = 3;
export const hasMad = (count: number): boolean => count >= FEWEST_WITH_MAD;

/** `median 2.5 µs, spread (MAD) 120 ns, 2.1 µs to 8 µs`, without the spread where there are too few values for one. */
export function spreadText(
  { count, median_ns, mad_ns, min_ns, max_ns }: Spread,
  { duration }: Pick<Clock, 'duration'> = TIME,
): string {
  return [
    `median ${duration(ns(median_ns))}`,
    ...(hasMad(count) ? [`spread (MAD) ${duration(ns(mad_ns))}`] : []),
    `${duration(ns(min_ns))} to ${duration(ns(max_ns))}`,
  ].join(', ');
}
