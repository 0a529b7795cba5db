import type { LatencyItem, LatencyKind } from '../../../api/latencyTypes';

/** The kinds that there are samples of, in the order of the server's registry. */
export function kindsWithSamples(kinds: readonly LatencyKind[]): readonly LatencyKind[] {
  return kinds.filter((kind) => kind.count > 0);
}

/** The kind that the link names, else the one that the trace is most likely about; nothing where there are no samples. */
export function chooseKind(kinds: readonly LatencyKind[], named: string): LatencyKind | undefined {
  const present = kindsWithSamples(kinds);
  return (
    present.find(({ kind }) => kind === named) ??
    present.find(({ lateness }) => lateness === 'measured') ??
    present.find(isLateness) ??
    present[0]
  );
}

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

/** Whether a long one is bad news; the others say how long something took. */
function isLateness({ lateness }: LatencyKind): boolean {
  return lateness === 'measured' || lateness === 'late';
}

/** A scale of durations on which each decade has the same length. */
export interface LogScale {
  readonly low: number;
  readonly high: number;
}

/** From the decade of the shortest to that of the longest; everything else on it lies between. */
export function logScale(durations: readonly number[]): LogScale {
  const known = durations.filter((duration) => duration > 0);
  const low = Math.floor(Math.log10(known.reduce((least, one) => Math.min(least, one), Infinity)));
  const high = Math.ceil(Math.log10(known.reduce((most, one) => Math.max(most, one), 1)));
  return Number.isFinite(low) ? { low: Math.min(low, high - 1), high } : { low: 0, high: 1 };
}

/** Where a duration lies on the scale, 0..1. */
export function placeOn({ low, high }: LogScale, duration: number): number {
  const place = (Math.log10(Math.max(1, duration)) - low) / (high - low);
  return Math.min(1, Math.max(0, place));
}
