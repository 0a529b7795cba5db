import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ChartWays } from '../../../components/chart/ChartWays';
import { useWindowKeys } from '../../../components/chart/useWindowKeys';
import { useKeys } from '../../../components/keys/keys';
import { Panel } from '../../../components/panel/Panel';
import { FailedQuery } from '../../../components/problem/FailedQuery';
import { POINT_KEYS } from '../../../components/series/pointKeys';
import { MOST_ROWS, seriesHeight, type PointOfSeries } from '../../../components/series/series';
import { SeriesChart } from '../../../components/series/SeriesChart';
import { useClock } from '../../../components/clock/useClock';
import { useTheme } from '../../../components/theme/theme';
import { visibleText } from '../../../lib/visibleText';
import { paths } from '../../../viewState/paths';
import { groupDigits } from '../../../lib/ns';
import { chosenBand, samplesText, type KindChartProps } from './shownKind';
import { GUTTER_PX, saveSeriesPicture, useSeriesPlot, type SeriesOfKind } from './useSeriesPlot';
import { SeriesControls } from './SeriesControls';
import styles from './SeriesPanel.module.css';
import { SeriesStrip } from './SeriesStrip';
import { SeriesTable } from './SeriesTable';

/** Latencies of one kind over time, a row for each CPU: every maximum is kept at every zoom, and opens its case. */
export function SeriesPanel(props: KindChartProps) {
  const { trace, kind, state, setState } = props;
  const theme = useTheme();
  const clock = useClock();
  const [hovered, setHovered] = useState<Hovered>();
  const [showsTable, setShowsTable] = useState(false);
  const series = useSeriesPlot(props);
  const { view, query, plot, width } = series;
  useWindowKeys('Latency over time', view.live, view.domain, hovered?.at);
  useKeys('Latency over time', POINT_KEYS);
  const title = `${visibleText(kind.title)} over time, per CPU`;
  const name = `${visibleText(trace.name)}-${kind.label}-over-time`;
  return (
    <Panel
      title={title}
      note={plot ? `${samplesText(plot.sampleCount)} in this window` : undefined}
      actions={
        <ChartWays
          what="the latencies over time"
          disabled={plot === undefined}
          onTable={() => setShowsTable(true)}
          onPicture={(format) =>
            plot &&
            saveSeriesPicture({ plot, theme, clock, width, gutter: GUTTER_PX }, { format, name, title })
          }
        />
      }
    >
      <SeriesControls {...{ trace, state, setState, view }} isLoading={query.isFetching} />
      <FailedQuery query={query} />
      <Points {...props} series={series} title={title} hovered={hovered} onHover={setHovered} />
      <FewOfMany cpuCount={query.data?.lanes.length ?? 0} areNamed={state.cpu.length > 0} />
      <SeriesStrip plot={plot} point={hovered?.point} worstNs={kind.worst?.duration_ns} />
      {showsTable && plot && <SeriesTable name={name} plot={plot} onClose={() => setShowsTable(false)} />}
    </Panel>
  );
}

interface Hovered {
  readonly point?: PointOfSeries;
  readonly at: number;
}

interface PointsProps extends KindChartProps {
  readonly series: SeriesOfKind;
  readonly title: string;
  readonly hovered: Hovered | undefined;
  readonly onHover: (hit: Hovered | undefined) => void;
}

/** The chart, in a place that is as high before the points come. */
function Points({ trace, kind, state, series, title, hovered, onHover }: PointsProps) {
  const navigate = useNavigate();
  const { view, query, plot, cpuCount, width, attachSize } = series;
  const open = (point: PointOfSeries | undefined) => {
    const id = point && plot?.lanes[point.lane]?.id[point.index];
    if (id !== undefined) void navigate({ to: paths.case(trace.id, id) });
  };
  const waits = plot === undefined && !query.isError;
  return (
    <div
      ref={attachSize}
      className={query.isError ? styles.failed : styles.plot}
      style={waits ? { height: seriesHeight(cpuCount) } : undefined}
    >
      {plot !== undefined && (
        <SeriesChart
          plot={plot}
          width={width}
          gutter={GUTTER_PX}
          domain={view.domain}
          live={view.live}
          hovered={hovered?.point}
          levels={chosenBand(state)}
          label={title}
          renderedMark={query.isPlaceholderData ? undefined : `${kind.label} ${state.scale}`}
          onHover={onHover}
          onOpen={open}
        />
      )}
    </div>
  );
}

interface FewOfManyProps {
  readonly cpuCount: number;
  readonly areNamed: boolean;
}

/** On a machine with very many CPUs: that not all of them are here. */
function FewOfMany({ cpuCount, areNamed }: FewOfManyProps) {
  if (cpuCount <= MOST_ROWS || areNamed) return null;
  return (
    <p className={styles.note}>
      {`Showing the ${MOST_ROWS} of ${groupDigits(cpuCount)} CPUs with the longest latencies; enter others above.`}
    </p>
  );
}
