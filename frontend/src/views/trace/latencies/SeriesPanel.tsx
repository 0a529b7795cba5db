import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { seriesQuery } from '../../../api/latencies';
import type { Trace } from '../../../api/types';
import { ChartWays } from '../../../components/chart/ChartWays';
import { useElementSize } from '../../../components/chart/useElementSize';
import { useLaneStretch } from '../../../components/chart/useLaneStretch';
import { useTraceWindow } from '../../../components/chart/useTraceWindow';
import { useWindowKeys } from '../../../components/chart/useWindowKeys';
import { Panel } from '../../../components/panel/Panel';
import { FailedQuery } from '../../../components/problem/FailedQuery';
import { useTheme } from '../../../components/theme/theme';
import { visibleText } from '../../../lib/visibleText';
import { paths } from '../../../viewState/paths';
import type { TraceState } from '../../../viewState/trace';
import type { SetViewState } from '../../../viewState/useViewState';
import { MOST_ROWS, seriesHeight, seriesPlot, type PointOfSeries } from '../../../components/series/series';
import styles from './SeriesPanel.module.css';
import { samplesText } from './samplesText';
import { saveSeriesPicture } from './saveSeriesPicture';
import { SeriesChart } from '../../../components/series/SeriesChart';
import { SeriesControls } from './SeriesControls';
import { SeriesStrip } from './SeriesStrip';
import { SeriesTable } from './SeriesTable';
import type { ShownKind } from './shownKind';

interface SeriesPanelProps {
  readonly trace: Trace;
  readonly kind: ShownKind;
  readonly state: TraceState;
  readonly setState: SetViewState<TraceState>;
}

const GUTTER_PX = 112;

/** Latencies of one kind over time, a row for each CPU: every maximum is kept at every zoom, and opens its case. */
export function SeriesPanel({ trace, kind, state, setState }: SeriesPanelProps) {
  const navigate = useNavigate();
  const theme = useTheme();
  const [size, attachSize] = useElementSize();
  const [hovered, setHovered] = useState<{ readonly point?: PointOfSeries; readonly at: number }>();
  const [showsTable, setShowsTable] = useState(false);
  const view = useTraceWindow(trace.duration_ns, state.window, setState);
  const { domain, live } = view;
  useWindowKeys('Latency over time', live, domain, hovered?.at);
  const width = Math.max(0, size.width - GUTTER_PX);
  const stretch = useLaneStretch(live.window, domain, width);
  const series = useQuery({
    ...seriesQuery(trace.id, { ...kind.asked, ...stretch }),
    enabled: width > 0,
  });
  const plot = useMemo(
    () => series.data && seriesPlot(series.data, live.window, state.scale, state.cpu),
    [series.data, live.window, state.scale, state.cpu],
  );
  const open = (point: PointOfSeries | undefined) => {
    const id = point && plot?.lanes[point.lane]?.id[point.index];
    if (id !== undefined) void navigate({ to: paths.case(trace.id, id) });
  };
  const title = `${visibleText(kind.title)} over time, per CPU`;
  const fileName = `${visibleText(trace.name)}-${kind.label}-over-time`;
  const cpuCount = series.data?.lanes.length ?? 0;
  const waitsForPlot = plot === undefined && !series.isError;
  return (
    <Panel
      title={title}
      note={plot ? `${samplesText(plot.sampleCount)} in sight` : undefined}
      actions={
        plot && (
          <ChartWays
            what="the latencies over time"
            onTable={() => setShowsTable(true)}
            onPicture={(format) =>
              saveSeriesPicture({ plot, theme, width, gutter: GUTTER_PX }, { format, name: fileName, title })
            }
          />
        )
      }
    >
      <SeriesControls
        trace={trace}
        state={state}
        setState={setState}
        view={view}
        isLoading={series.isFetching}
      />
      <FailedQuery query={series} />
      <div
        ref={attachSize}
        className={series.isError ? styles.failed : styles.plot}
        style={waitsForPlot ? { height: seriesHeight(trace.cpus?.length ?? 1) } : undefined}
      >
        {plot !== undefined && (
          <SeriesChart
            plot={plot}
            width={width}
            gutter={GUTTER_PX}
            domain={domain}
            live={live}
            hovered={hovered?.point}
            label={title}
            renderedMark={series.isPlaceholderData ? undefined : `${kind.label} ${state.scale}`}
            onHover={setHovered}
            onOpen={open}
          />
        )}
      </div>
      {cpuCount > MOST_ROWS && state.cpu.length === 0 ? (
        <p className={styles.note}>
          {`The ${MOST_ROWS} CPUs with the longest latencies of ${cpuCount}; name others above to see them.`}
        </p>
      ) : null}
      <SeriesStrip plot={plot} point={hovered?.point} />
      {showsTable && plot && <SeriesTable name={fileName} plot={plot} onClose={() => setShowsTable(false)} />}
    </Panel>
  );
}
