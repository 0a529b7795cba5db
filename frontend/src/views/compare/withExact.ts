import type { Comparison } from '../../api/compare';
import type { ExactVariant } from '../../api/exactQuantiles';

/** The comparison with quantiles from the samples themselves, and the differences of those. */
export function withExact(answer: Comparison, found: readonly ExactVariant[]): Comparison {
  const byName = new Map(found.map((one) => [one.name, one]));
  const quantileOf = (variant: string | undefined, stat: string) => {
    const one = byName.get(variant ?? '');
    return one && stat in one ? (one[stat as Quantile] ?? undefined) : undefined;
  };
  const first = answer.variants[0]?.name;
  return {
    ...answer,
    variants: answer.variants.map((variant) => ({ ...variant, ...byName.get(variant.name), exact: true })),
    differences: answer.differences.map((difference) => {
      const from = quantileOf(first, difference.stat);
      const to = quantileOf(difference.variant, difference.stat);
      if (from === undefined || to === undefined) return difference;
      return { ...difference, from, to, delta_ns: to - from, share: from === 0 ? null : (to - from) / from };
    }),
  };
}

type Quantile = Exclude<keyof ExactVariant, 'name'>;
