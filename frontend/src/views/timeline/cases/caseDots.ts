import type { LatencyItem } from '../../../api/latencyTypes';
import { spanOf, type TimeWindow } from '../../../components/chart/timeWindow';

/** A case as a dot above the lanes. */
export interface CaseDot {
  readonly item: LatencyItem;
  /** Where it began, as a share of the window, 0..1. */
  readonly at: number;
  /** How long it is among those that are shown, 0..1, by equal factors. */
  readonly level: number;
  /** Its place among them, the longest last: where dots overlap, the worse one is on top. */
  readonly rank: number;
}

/** The cases that began in the window, in order of time; of two kinds that report the same moment, each has its dot. */
export function placeDots(items: readonly LatencyItem[], window: TimeWindow): readonly CaseDot[] {
  const seen = items.filter((item) => startOf(item) >= window.start && item.t < window.end);
  const lengths = seen.map(({ duration_ns }) => Math.log(Math.max(1, duration_ns)));
  const low = lengths.reduce((least, one) => Math.min(least, one), Infinity);
  const high = lengths.reduce((most, one) => Math.max(most, one), 0);
  const ranks = new Map(
    seen.toSorted((a, b) => a.duration_ns - b.duration_ns).map((item, rank) => [item, rank]),
  );
  return seen
    .map((item, index) => ({
      item,
      at: (startOf(item) - window.start) / spanOf(window),
      level: high > low ? ((lengths[index] ?? low) - low) / (high - low) : 1,
      rank: ranks.get(item) ?? 0,
    }))
    .toSorted((a, b) => a.at - b.at);
}

/** What began before the first record is seen from there on. */
const startOf = ({ t, end }: LatencyItem) => (end > 0 ? Math.max(0, t) : t);

/** The dot that Tab leads to: that of the opened case, else the longest. */
export function currentDot(dots: readonly CaseDot[], opened: string): string | undefined {
  const longest = dots.reduce<CaseDot | undefined>(
    (most, dot) => (most === undefined || dot.item.duration_ns > most.item.duration_ns ? dot : most),
    undefined,
  );
  return dots.find(({ item }) => item.id === opened)?.item.id ?? longest?.item.id;
}

/** The kind that the id of a case begins with: `wakeup` of `wakeup-473@14138728000`. */
export function kindOfCase(id: string): string {
  return /^[a-z_]+/.exec(id)?.[0] ?? '';
}
