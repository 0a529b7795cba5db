import type { NsRange } from '../../../../viewState/fields';
import { ns } from '../../../../lib/ns';
import type { ShownBand, ShownCause } from './shownBands';

/** A band on the axis of nines: every nine of the share that is shorter takes as much room as the one before. */
export interface PlacedBand {
  readonly band: ShownBand;
  readonly left: number;
  readonly right: number;
}

/** A cause as it is told apart in all bands; `rest` is all that are too small to be. */
export interface StackedCause {
  readonly cause: string;
  readonly what: string;
}

/** One cause in one band: from which share of the band's time to which, from the foot. */
export interface TailBox {
  readonly band: number;
  readonly cause: number;
  readonly from: number;
  readonly to: number;
}

export interface TailPlot {
  readonly bands: readonly PlacedBand[];
  /** From the foot upwards. */
  readonly causes: readonly StackedCause[];
  readonly boxes: readonly TailBox[];
  readonly end: number;
}

interface ShownTail {
  readonly bands: readonly ShownBand[];
  /** The durations that somebody chose. */
  readonly chosen?: ShownBand | null;
}

/** More cannot be told apart. */
const MOST_CAUSES = 9;
const REST: StackedCause = { cause: 'rest', what: 'smaller causes' };
const MILLION = 1_000_000;
/** The last band ends nowhere: all samples are not longer than the longest. */
const LAST_BAND = 1;
/** Durations that somebody chose are drawn beside the bands, since they overlap with them. */
const CHOSEN_GAP = 0.25;

const isSame = (band: ShownBand, other: ShownBand | null) =>
  other !== null && band.min_ns === other.min_ns && band.max_ns === other.max_ns;

const ninesOf = (ppm: number) => -Math.log10(Math.max(1, MILLION - ppm) / MILLION);

/** The bands from left to right, each filled by the causes of its time; what matters in the tail lies at the foot. */
export function tailPlot({ bands: ordered, chosen = null }: ShownTail): TailPlot {
  // Durations that are one of the bands already are not drawn twice.
  const extra = ordered.some((band) => isSame(band, chosen)) ? null : chosen;
  const bands = extra ? [...ordered, extra] : ordered;
  const placed = ordered.map((band): PlacedBand => {
    const left = ninesOf(band.from_ppm);
    return { band, left, right: band.to_ppm >= MILLION ? left + LAST_BAND : ninesOf(band.to_ppm) };
  });
  if (extra) {
    const left = (placed.at(-1)?.right ?? 0) + CHOSEN_GAP;
    placed.push({ band: extra, left, right: left + LAST_BAND });
  }
  const named = rankedCauses(ordered);
  const causes = bands.some(({ causes: all }) => all.some((one) => indexOf(named, one) < 0))
    ? [...named, REST]
    : named;
  const boxes = placed.flatMap(({ band }, at) => boxesOf(band, at, named));
  return { bands: placed, causes, boxes, end: placed.at(-1)?.right ?? 1 };
}

/** The causes with the largest share in any band, those of the slowest samples first. */
function rankedCauses(bands: readonly ShownBand[]): readonly StackedCause[] {
  const most = new Map<string, StackedCause & { readonly share: number }>();
  for (const { causes } of bands) {
    for (const { cause, what, share_ppm } of causes) {
      const share = Math.max(share_ppm, most.get(keyOf({ cause, what }))?.share ?? 0);
      most.set(keyOf({ cause, what }), { cause, what, share });
    }
  }
  const kept = [...most.values()].toSorted((a, b) => b.share - a.share).slice(0, MOST_CAUSES);
  const inTail = (one: StackedCause) =>
    bands.at(-1)?.causes.find((other) => keyOf(other) === keyOf(one))?.duration_ns ?? 0;
  return kept
    .toSorted((a, b) => inTail(b) - inTail(a) || b.share - a.share)
    .map(({ cause, what }) => ({ cause, what }));
}

const keyOf = ({ cause, what }: StackedCause) => `${cause} ${what}`;

const indexOf = (causes: readonly StackedCause[], one: StackedCause) =>
  causes.findIndex((other) => keyOf(other) === keyOf(one));

function boxesOf({ causes, total_ns }: ShownBand, band: number, named: readonly StackedCause[]) {
  const sums = named.map(() => 0);
  let rest = 0;
  for (const one of causes) {
    const at = indexOf(named, one);
    if (at < 0) rest += one.duration_ns;
    else sums[at] = (sums[at] ?? 0) + one.duration_ns;
  }
  const whole = Math.max(1, total_ns);
  const boxes: TailBox[] = [];
  let below = 0;
  [...sums, rest].forEach((sum, cause) => {
    const to = below + sum;
    if (sum > 0) boxes.push({ band, cause, from: below / whole, to: to / whole });
    below = to;
  });
  return boxes;
}

/** The durations of a band, half-open, as the address keeps them. */
export function rangeOf({ min_ns, max_ns }: Pick<ShownBand, 'min_ns' | 'max_ns'>): NsRange {
  return { start: ns(min_ns), end: ns(max_ns + 1) };
}

/** The largest causes of a band, for one line of words. */
export function largestCauses({ causes }: ShownBand, count: number): readonly ShownCause[] {
  return causes.toSorted((a, b) => b.duration_ns - a.duration_ns).slice(0, count);
}
