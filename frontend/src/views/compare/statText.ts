import type { ComparedDifference } from '../../api/compare';
import type { Measure } from '../../lib/measure';
import { changeText } from '../../lib/percent';

/** `23.1 to 25.9 µs`, or why there is no interval. */
export function intervalText(interval: readonly [number, number] | null, measure: Measure): string {
  if (interval === null) return 'too few';
  const [low, high] = interval.map(measure.brief);
  if (low === high) return `${low}`;
  const [lowNumber, lowUnit] = low?.split('\u202f') ?? [];
  const highUnit = high?.split('\u202f')[1];
  return lowUnit === highUnit ? `${lowNumber} – ${high}` : `${low} – ${high}`;
}

/** `−4.0 µs (−14 %)`. */
export function deltaText({ delta_ns, share }: ComparedDifference, measure: Measure): string {
  if (delta_ns === 0) return 'same';
  const sign = delta_ns < 0 ? '−' : '+';
  const delta = `${sign}${measure.brief(Math.abs(delta_ns))}`;
  return share === null ? delta : `${delta} (${changeText(share)})`;
}

/** Why a difference is called real, or is not. */
export function proofText({
  interval,
  is_real: isReal,
}: Pick<ComparedDifference, 'interval' | 'is_real'>): string {
  if (isReal === null) return 'Too few traces or samples to tell this from chance.';
  if (isReal) return 'Real: the 95 % interval excludes zero, and a permutation test of the traces agrees.';
  const [low, high] = interval ?? [0, 0];
  return low <= 0 && high >= 0
    ? 'This may be chance: the interval allows zero.'
    : 'This may be chance: the interval excludes zero, but more than 5 % of the ways to split the traces into two sides differ as much, as happens where values have few steps.';
}

/** The rarest first: the sentence is of the first of these that really differs. */
const BY_RARITY = ['p99_99_ns', 'p99_9_ns', 'p99_ns', 'p90_ns', 'p50_ns', 'mean_ns'];

/** The number that the sentence is of, which the table shows at any width. */
export function saidStat(differences: readonly ComparedDifference[]): string | undefined {
  return BY_RARITY.find((stat) => differences.some((one) => one.stat === stat && one.is_real === true));
}
