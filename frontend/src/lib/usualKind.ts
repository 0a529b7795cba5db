/** What choosing among kinds of latency needs of one. */
export interface CountedKind {
  readonly kind: string;
  readonly count: number;
  readonly lateness: 'measured' | 'late' | 'long' | 'asleep';
}

/** The kinds that there are samples of, in the order of the server's registry. */
export function kindsWithSamples<K extends CountedKind>(kinds: readonly K[]): readonly K[] {
  return kinds.filter((kind) => kind.count > 0);
}

/** The kind that the link names, else the one that the trace is most likely about; nothing where there are no samples. */
export function usualKind<K extends CountedKind>(kinds: readonly K[], named: string): K | undefined {
  const present = kindsWithSamples(kinds);
  return (
    present.find(({ kind }) => kind === named) ??
    present.find(({ lateness }) => lateness === 'measured') ??
    present.find(isLateness) ??
    present[0]
  );
}

/** Whether a long one is bad news; the others say how long something took. */
function isLateness({ lateness }: CountedKind): boolean {
  return lateness === 'measured' || lateness === 'late';
}
