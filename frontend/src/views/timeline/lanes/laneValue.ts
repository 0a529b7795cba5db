import type { TimeWindow } from '../../../components/chart/timeWindow';
import { overlaps, spanOf } from '../../../components/chart/timeWindow';
import { counterAt, type PlannedLane } from '../../../components/lanes/laneModel';
import { visibleText } from '../../../lib/visibleText';
import type { Clock } from '../../../lib/clock';
import { groupDigits, ns } from '../../../lib/ns';
import { percentText } from '../../../lib/percent';

/** What a lane has in a window, in words: `1,204 slices, 12.5 % busy, longest 30.0 µs`, or the value of a counter. */
export function laneValue({ lane, series }: PlannedLane, window: TimeWindow, clock: Clock): string {
  if (series) {
    const reading = counterAt(series, (window.start + window.end) / 2);
    if (reading === undefined) return 'no value in view';
    return visibleText(`${groupDigits(reading.value)} ${series.unit ?? ''}`).trim();
  }
  if (lane === undefined) return 'nothing in view';
  const sums = { count: 0, busy: 0, longest: 0 };
  lane.t.forEach((start, index) => {
    const duration = lane.duration_ns[index] ?? 0;
    if (!overlaps(window, start, start + duration)) return;
    const inside = Math.min(window.end, start + duration) - Math.max(window.start, start);
    const isBucket = lane.detail === 'buckets';
    sums.count += isBucket ? (lane.count?.[index] ?? 0) : 1;
    sums.busy += isBucket ? Math.min(inside, lane.busy_ns?.[index] ?? 0) : inside;
    sums.longest = Math.max(sums.longest, isBucket ? (lane.max_ns?.[index] ?? 0) : duration);
  });
  if (sums.count === 0 && sums.busy === 0) return 'nothing in view';
  const busy = percentText(sums.busy, spanOf(window));
  const noun = sums.count === 1 ? 'slice' : 'slices';
  return `${groupDigits(sums.count)} ${noun}, ${busy} of the time, longest ${clock.duration(ns(sums.longest))}`;
}

/** Where a lane is at its highest or lowest. */
export interface Extreme {
  readonly start: number;
  readonly end: number;
  /** Whether it is a slice, which can be selected by its start. */
  readonly isSlice: boolean;
}

/**
 * The longest or shortest slice in a window, or where a counter is highest or lowest; one that reaches over an edge
 * only where none lies inside. Nothing where none is there, and for the shortest among slices that are too many to be drawn one by one: of those, only the longest is known.
 */
export function extremeOf(
  { lane, series }: PlannedLane,
  window: TimeWindow,
  which: 'most' | 'least',
): Extreme | undefined {
  const isMore = (a: number, b: number) => (which === 'most' ? a > b : a < b);
  if (series) {
    let best: number | undefined;
    series.t.forEach((t, index) => {
      const until = series.t[index + 1] ?? window.end;
      if (t >= window.end || until <= window.start) return;
      if (best === undefined || isMore(series.value[index] ?? 0, series.value[best] ?? 0)) best = index;
    });
    const start = best === undefined ? undefined : series.t[best];
    if (start === undefined || best === undefined) return undefined;
    return { start, end: series.t[best + 1] ?? window.end, isSlice: false };
  }
  if (lane === undefined || (which === 'least' && lane.detail === 'buckets')) return undefined;
  const isBucket = lane.detail === 'buckets';
  let [found, inside]: (Extreme | undefined)[] = [];
  lane.t.forEach((t, index) => {
    const start = isBucket ? lane.max_start?.[index] : t;
    const duration = isBucket ? lane.max_ns?.[index] : lane.duration_ns[index];
    if (start === undefined || duration === undefined || !overlaps(window, start, start + duration)) return;
    const one = { start, end: start + duration, isSlice: true };
    if (found === undefined || isMore(duration, found.end - found.start)) found = one;
    if (start < window.start || one.end > window.end) return;
    if (inside === undefined || isMore(duration, inside.end - inside.start)) inside = one;
  });
  return inside ?? found;
}
