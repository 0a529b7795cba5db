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

/** The worst case of each kind: first those that say how late something was, then how long; both worst first. */
export function worstOfEach(kinds: readonly LatencyKind[]): readonly LatencyItem[] {
  const worst = (isLate: boolean) =>
    kindsWithSamples(kinds)
      .filter((kind) => isLateness(kind) === isLate)
      .flatMap((kind) => kind.worst ?? [])
      .toSorted((a, b) => b.duration_ns - a.duration_ns);
  return [...worst(true), ...worst(false)];
}

/** The length that a full bar stands for: a call that slept for seconds must not flatten what was late by microseconds. */
export function fullBar(rows: readonly LatencyItem[], kinds: readonly LatencyKind[]): number {
  const lateKinds = new Set(kinds.filter(isLateness).map(({ kind }) => kind));
  const late = rows.filter(({ kind }) => lateKinds.has(kind));
  return (late.length > 0 ? late : rows).reduce((most, row) => Math.max(most, row.duration_ns), 1);
}

/** The others say how long something took. */
function isLateness({ lateness }: LatencyKind): boolean {
  return lateness === 'measured' || lateness === 'late';
}
