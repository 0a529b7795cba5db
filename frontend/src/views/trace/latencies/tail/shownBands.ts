import type { TailBand, TailCause } from '../../../../api/tail';

export type ShownCause = Pick<TailCause, 'cause' | 'what' | 'duration_ns' | 'share_ppm'>;

/** What is shown of a band. */
export interface ShownBand extends Pick<
  TailBand,
  'name' | 'from_ppm' | 'to_ppm' | 'count' | 'total_ns' | 'min_ns' | 'max_ns'
> {
  readonly causes: readonly ShownCause[];
}

/** Shares of fewer samples say nothing of others, and the sentence above judges by as many. */
const LEAST_SAMPLES = 10;

/** The bands without those that are finer than their samples allow: the last ones are one until it has enough. */
export function shownBands(bands: readonly ShownBand[]): readonly ShownBand[] {
  const [last, before] = [bands.at(-1), bands.at(-2)];
  if (last === undefined || before === undefined || last.count >= LEAST_SAMPLES) return bands;
  return shownBands([...bands.slice(0, -2), joined(before, last)]);
}

function joined(shorter: ShownBand, longer: ShownBand): ShownBand {
  const total_ns = shorter.total_ns + longer.total_ns;
  const causes = new Map<string, ShownCause>();
  for (const one of [...shorter.causes, ...longer.causes]) {
    const key = `${one.cause} ${one.what}`;
    const duration_ns = one.duration_ns + (causes.get(key)?.duration_ns ?? 0);
    const share_ppm = Math.floor((duration_ns / Math.max(1, total_ns)) * 1_000_000);
    causes.set(key, { cause: one.cause, what: one.what, duration_ns, share_ppm });
  }
  return {
    // `90-99 %` and `99-99.9 %` are `90-99.9 %`.
    name: `${shorter.name.split('-')[0] ?? ''}-${longer.name.split('-')[1] ?? ''}`,
    from_ppm: shorter.from_ppm,
    to_ppm: longer.to_ppm,
    count: shorter.count + longer.count,
    total_ns,
    min_ns: shorter.min_ns,
    max_ns: longer.max_ns,
    causes: [...causes.values()].toSorted((a, b) => b.duration_ns - a.duration_ns),
  };
}
