import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { baselineQuery } from '../../api/baselines';
import { compareQuery } from '../../api/compare';
import type { TrendRequest } from '../../api/trend';
import { classesOf } from '../../components/experiment/baselineTexts';
import type { TrendBand } from './trendPlot';

/**
 * The number of a baseline and its interval, for the same measure as the runs and in the unit of their clocks; nothing
 * until it is known.
 */
export function useBaselineBand(
  slug: string,
  asked: TrendRequest | undefined,
  unit: string | undefined,
): TrendBand | undefined {
  const baseline = useQuery({ ...baselineQuery(slug), enabled: slug !== '' }).data;
  const there = baseline?.variant.traces.filter((id) => !baseline.missing.includes(id)) ?? [];
  const isEmpty = baseline === undefined || baseline.trace_count === 0;
  const name = baseline?.name ?? '';
  const answer = useQuery({
    ...compareQuery({
      variants: [
        there.length > 0
          ? { name, traces: there }
          : { name, traces: [], labels: baseline?.variant.labels ?? {} },
      ],
      kind: asked?.kind ?? '',
      key: asked?.key ?? null,
      cpu: baseline?.where.cpu ?? asked?.cpu,
      comm: baseline?.where.comm ?? asked?.comm ?? '',
      priority: baseline?.where.priority_class ? classesOf(baseline.where) : (asked?.priority ?? []),
      strata: [],
    }),
    enabled: slug !== '' && !isEmpty && asked !== undefined,
  });
  const stat = asked?.stat;
  const [found] = answer.data?.unit === unit ? (answer.data?.variants ?? []) : [];
  return useMemo(() => {
    if (slug === '' || isEmpty || found === undefined || stat === undefined) return undefined;
    const value = found[stat];
    if (value === null) return undefined;
    return { name, value_ns: value, interval: stat === 'max_ns' ? null : found.intervals[stat] };
  }, [slug, isEmpty, found, stat, name]);
}
