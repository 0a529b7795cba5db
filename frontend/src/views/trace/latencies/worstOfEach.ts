import type { LatencyItem, LatencyKind } from '../../../api/latencyTypes';
import { kindsWithSamples } from '../../../lib/usualKind';

/** What matters more comes first: how late the measured thread was, how late something else, how long something took. */
const BY_LATENESS = [
  'measured',
  'late',
  'long',
  'asleep',
] as const satisfies readonly LatencyKind['lateness'][];

/** The worst case of each kind, by what matters and then by how long. */
export function worstOfEach(kinds: readonly LatencyKind[]): readonly LatencyItem[] {
  return kindsWithSamples(kinds)
    .toSorted(
      (a, b) =>
        BY_LATENESS.indexOf(a.lateness) - BY_LATENESS.indexOf(b.lateness) ||
        (b.worst?.duration_ns ?? 0) - (a.worst?.duration_ns ?? 0),
    )
    .flatMap((kind) => kind.worst ?? []);
}

/** A scale of durations on which each decade has the same length. */
export interface LogScale {
  readonly low: number;
  readonly high: number;
}

/** From the decade below that of the shortest, which has a bar to see, to that of the longest. */
export function logScale(durations: readonly number[]): LogScale {
  const known = durations.filter((duration) => duration > 0);
  const low = Math.floor(Math.log10(known.reduce((least, one) => Math.min(least, one), Infinity)));
  const high = Math.ceil(Math.log10(known.reduce((most, one) => Math.max(most, one), 1)));
  return Number.isFinite(low) ? { low: low - 1, high } : { low: 0, high: 1 };
}

/** Where a duration lies on the scale, 0..1. */
export function placeOn({ low, high }: LogScale, duration: number): number {
  const place = (Math.log10(Math.max(1, duration)) - low) / (high - low);
  return Math.min(1, Math.max(0, place));
}
