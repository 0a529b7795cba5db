import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Trend } from '../../api/trend';
import { ChartWays } from '../../components/chart/ChartWays';
import { PICTURE_TITLE_PX, savePicture } from '../../components/chart/exportPicture';
import type { PictureFormat } from '../../components/chart/pictureFile';
import { measureName } from '../../components/compare/measureName';
import { Panel } from '../../components/panel/Panel';
import { ChartTable, type ChartColumn } from '../../components/table/ChartTable';
import { useTheme } from '../../components/theme/theme';
import { ScaleSwitch, Switch, SwitchGroup } from '../../components/toolbar/Toolbar';
import type { Measure } from '../../lib/measure';
import { visibleText } from '../../lib/visibleText';
import { TREND_STATS, type TrendState, type TrendStat } from '../../viewState/trend';
import type { SetViewState } from '../../viewState/useViewState';
import styles from './Trend.module.css';
import { TrendChart } from './TrendChart';
import { trendOption } from './trendOption';
import { STAT_NAMES, trendPlot, type TrendBand } from './trendPlot';

interface RunsProps {
  /** Absent as long as it is on its way. */
  readonly trend: Trend | undefined;
  readonly state: TrendState;
  readonly setState: SetViewState<TrendState>;
  readonly measure: { readonly kind: string; readonly key: string | null };
  readonly band: TrendBand | undefined;
  /** The answer is that to the question before this one. */
  readonly isOld: boolean;
}

const PICTURE = { width: 1200, height: 400 };

/** The points, and the ways out of their chart. */
export function Runs({ trend, state, setState, measure, band, isOld }: RunsProps) {
  const theme = useTheme();
  const navigate = useNavigate();
  const [showsTable, setShowsTable] = useState(false);
  const { stat, scale } = state;
  const plot = useMemo(() => trend && trendPlot(trend, stat, scale, band), [trend, stat, scale, band]);
  const save = (format: PictureFormat) => {
    if (plot === undefined) return;
    const option = trendOption(plot, theme.palette, PICTURE, PICTURE_TITLE_PX);
    const held = plot.band ? `, with the baseline ${visibleText(plot.band.name)}` : '';
    const title = `${measureName(measure)}: ${STAT_NAMES[stat]} of each run${held}`;
    savePicture(option, theme, PICTURE, { format, name: `trend-${measure.kind}-${stat}`, title });
  };
  return (
    <Panel
      title="Runs"
      note={`${STAT_NAMES[stat]} of each${scale === 'log' ? '; other numbers in grey' : ''}`}
      actions={
        <ChartWays
          what="the runs"
          disabled={plot === undefined}
          onTable={() => setShowsTable(true)}
          onPicture={save}
        />
      }
    >
      <div className={styles.controls}>
        <StatChoice state={state} setState={setState} />
        <ScaleSwitch scale={scale} onScale={(next) => setState({ scale: next })} />
      </div>
      {plot === undefined ? (
        <div className={styles.waiting} />
      ) : (
        <TrendChart
          plot={plot}
          renderedMark={isOld ? undefined : `${measure.kind} ${stat} ${scale}`}
          onOpen={({ worst_url }) => void navigate({ to: new URL(worst_url).pathname })}
        />
      )}
      {showsTable && plot ? (
        <ChartTable
          title="Runs"
          name="trend"
          columns={columnsOf(plot.measure)}
          rows={plot.points}
          onClose={() => setShowsTable(false)}
        />
      ) : null}
    </Panel>
  );
}

const columnsOf = ({ title }: Measure): readonly ChartColumn<Trend['points'][number]>[] => [
  { title: 'in order of', cell: (row) => visibleText(row.x) },
  { title: 'trace', isCode: true, cell: (row) => row.trace },
  { title: 'name', cell: (row) => visibleText(row.name) },
  { title: 'samples', isNumber: true, cell: (row) => row.count },
  ...TREND_STATS.map((stat) => ({
    title: title(STAT_NAMES[stat]),
    isNumber: true,
    cell: (row: Trend['points'][number]) => row[stat],
  })),
];

interface StatChoiceProps {
  readonly state: TrendState;
  readonly setState: SetViewState<TrendState>;
}

const IN_ORDER: readonly TrendStat[] = [
  'mean_ns',
  'p50_ns',
  'p90_ns',
  'p99_ns',
  'p99_9_ns',
  'p99_99_ns',
  'max_ns',
];

/** Which number of the runs is followed. */
function StatChoice({ state, setState }: StatChoiceProps) {
  return (
    <SwitchGroup name="number">
      {IN_ORDER.map((stat) => (
        <Switch key={stat} isOn={state.stat === stat} onClick={() => setState({ stat }, { history: 'push' })}>
          {STAT_NAMES[stat]}
        </Switch>
      ))}
    </SwitchGroup>
  );
}
