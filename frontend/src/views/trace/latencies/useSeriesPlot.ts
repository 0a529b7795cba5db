import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { seriesQuery } from '../../../api/latencies';
import { useElementSize } from '../../../components/chart/useElementSize';
import { useLaneStretch } from '../../../components/chart/laneRequest';
import { useTraceWindow } from '../../../components/chart/useTraceWindow';
import { EDGE_PX, seriesPlot, type SeriesPlot } from '../../../components/series/series';
import { listedExtreme } from './listedExtreme';
import type { KindChartProps } from './shownKind';
import { PICTURE_TITLE_PX, savePicture, type PictureFile } from '../../../components/chart/exportPicture';
import { ticksOf } from '../../../components/chart/timeTicks';
import { useClock } from '../../../components/clock/useClock';
import type { Clock } from '../../../lib/clock';
import { unitOn } from '../../../lib/measure';
import type { Theme } from '../../../components/theme/theme';
import { seriesOption } from '../../../components/series/seriesOption';

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
    ...seriesQuery(trace.id, { ...kind.request, ...stretch }),
    enabled: width > 0,
  });
  const clock = useClock();
  const { data } = query;
  const worstIs = listedExtreme(kind, state);
  const cpuCount = state.cpu.length || (trace.cpus?.length ?? 1);
  const plot = useMemo(() => {
    const unit = unitOn(clock, data?.unit);
    return data && seriesPlot({ ...data, unit, cpuCount }, live.window, state.scale, state.cpu, worstIs);
  }, [data, clock, cpuCount, live.window, state.scale, state.cpu, worstIs]);
  return { view, query, plot, cpuCount, width, attachSize };
}

interface SeriesPicture {
  readonly plot: SeriesPlot;
  readonly theme: Theme;
  readonly clock: Clock;
  readonly width: number;
  readonly gutter: number;
}

/** Saves the points in sight as a file, with the names of the CPUs on their axes. */
export function saveSeriesPicture(
  { plot, theme, clock, width, gutter }: SeriesPicture,
  file: PictureFile,
): void {
  const ticks = ticksOf(clock)(plot.window, width);
  const option = seriesOption({ plot, ticks, palette: theme.palette, gutter, target: 'picture' });
  const height = PICTURE_TITLE_PX + plot.heightPx + 8;
  const unit = ticks.unit === undefined ? '' : ` · in ${ticks.unit}`;
  const base = ticks.base === undefined ? unit : ` · times after ${ticks.base}`;
  savePicture(
    option,
    theme,
    { width: width + gutter + EDGE_PX, height },
    { ...file, title: file.title + base },
  );
}
