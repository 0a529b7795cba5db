import type { LatencyItem, LatencyKind } from '../../../api/latencyTypes';

/** The kinds that there are samples of, in the order of the server's registry. */
export function kindsWithSamples(kinds: readonly LatencyKind[]): readonly LatencyKind[] {
  return kinds.filter((kind) => kind.count > 0);
}

/** What people record a trace for: how late something was, the most telling first. All others say how long it took. */
const LATENESS = ['cyclic', 'timerlat', 'timer', 'irqsoff', 'preemptoff', 'wakeup'];

/** The kind that the link names, else the one that the trace is most likely about; nothing where there are no samples. */
export function chooseKind(kinds: readonly LatencyKind[], named: string): LatencyKind | undefined {
  const present = kindsWithSamples(kinds);
  const likely = LATENESS.flatMap((name) => present.filter(({ kind }) => kind === name));
  return present.find(({ kind }) => kind === named) ?? likely[0] ?? present[0];
}

/** The worst case of each kind: first those that say how late something was, then how long; both worst first. */
export function worstOfEach(kinds: readonly LatencyKind[]): readonly LatencyItem[] {
  const worst = kindsWithSamples(kinds).flatMap((kind) => kind.worst ?? []);
  return worst.toSorted(
    (a, b) => Number(isLateness(b)) - Number(isLateness(a)) || b.duration_ns - a.duration_ns,
  );
}

/** The length that a full bar stands for: a call that slept for seconds must not flatten what was late by microseconds. */
export function fullBar(rows: readonly LatencyItem[]): number {
  const late = rows.filter(isLateness);
  return (late.length > 0 ? late : rows).reduce((most, row) => Math.max(most, row.duration_ns), 1);
}

function isLateness({ kind }: LatencyItem): boolean {
  return LATENESS.includes(kind);
}
