import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { statsQuery } from '../../../api/latencies';
import { measureOf } from '../../../lib/measure';
import { distributionPlot } from './distribution';
import type { KindChartProps } from './shownKind';

export type Distribution = ReturnType<typeof useDistribution>;

/** The statistics of the stretch in sight by what the samples are divided by, and the curves that they make. */
export function useDistribution({ trace, kind, state }: KindChartProps) {
  const query = useQuery(
    statsQuery(trace.id, {
      ...kind.asked,
      group_by: kind.groups.includes(state.group) ? state.group : undefined,
      bucket: state.bucket ?? 'log2',
      start: state.window?.start,
      end: state.window?.end,
    }),
  );
  const groups = query.data?.groups;
  const hasEqualBars = state.bucket !== undefined;
  const measure = measureOf(query.data?.unit);
  const plot = useMemo(
    () => groups && distributionPlot(groups, { form: state.form, scale: state.scale, hasEqualBars, measure }),
    [groups, state.form, state.scale, hasEqualBars, measure],
  );
  const count = groups?.reduce((sum, group) => sum + group.count, 0) ?? 0;
  return { query, groups, measure, plot, count };
}
