import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { seriesQuery } from '../../../api/latencies';
import { useElementSize } from '../../../components/chart/useElementSize';
import { useLaneStretch } from '../../../components/chart/useLaneStretch';
import { useTraceWindow } from '../../../components/chart/useTraceWindow';
import { EDGE_PX, seriesPlot } from '../../../components/series/series';
import type { KindChartProps } from './shownKind';

/** Left of the plot, for the names of the CPUs and the levels. */
export const GUTTER_PX = 112;

export type SeriesOfKind = ReturnType<typeof useSeriesPlot>;

/** The window in sight, the latencies that were asked for it, and where they are drawn. */
export function useSeriesPlot({ trace, kind, state, setState }: KindChartProps) {
  const [size, attachSize] = useElementSize();
  const view = useTraceWindow(trace.duration_ns, state.window, setState);
  const { live, domain } = view;
  const width = Math.max(0, size.width - GUTTER_PX - EDGE_PX);
  const stretch = useLaneStretch(live.window, domain, width);
  const query = useQuery({
    ...seriesQuery(trace.id, { ...kind.asked, ...stretch }),
    enabled: width > 0,
  });
  const { data } = query;
  const plot = useMemo(
    () => data && seriesPlot(data, live.window, state.scale, state.cpu),
    [data, live.window, state.scale, state.cpu],
  );
  return { view, query, plot, width, attachSize };
}
