import { useCallback, useMemo, useState } from 'react';
import { ChartWays } from '../../../components/chart/ChartWays';
import { PICTURE_TITLE_PX, savePicture } from '../../../components/chart/exportPicture';
import type { PictureFormat } from '../../../components/chart/pictureFile';
import { Panel } from '../../../components/panel/Panel';
import { SqlLink } from '../../../components/SqlLink';
import { FailedQuery } from '../../../components/problem/FailedQuery';
import { useClock } from '../../../components/clock/useClock';
import { useTheme } from '../../../components/theme/theme';
import { isGroupOfSql, statisticsSql } from '../../../lib/asSql';
import type { Clock } from '../../../lib/clock';
import { ns, type Ns } from '../../../lib/ns';
import { visibleText } from '../../../lib/visibleText';
import { DistributionChart } from '../../../components/distribution/DistributionChart';
import { DistributionControls } from './DistributionControls';
import { distributionOption } from '../../../components/distribution/distributionOption';
import styles from './DistributionPanel.module.css';
import { DistributionTable } from '../../../components/distribution/DistributionTable';
import { chosenBand, samplesText, unmeasuredText, type KindChartProps, type ShownKind } from './shownKind';
import { groupsOn } from './groupsOn';
import { StatTable } from './StatTable';
import { useQuery } from '@tanstack/react-query';
import { statsQuery } from '../../../api/latencies';
import type { NsRange } from '../../../viewState/fields';
import type { Stratum } from '../../../viewState/stratum';
import { measureOf, unitOn } from '../../../lib/measure';
import type { Spread } from '../../../lib/spread';
import { distributionPlot, drawableGroups, drawnGroups } from '../../../components/distribution/distribution';
import { closeBucket, isWithinOctave, usualForm, valueShelves } from '../../../components/distribution/usual';

const PICTURE = { width: 1200, height: 480 };

/** How the latencies of a kind are spread: histogram, percentile curve or sorted samples, and their statistics. */
export function DistributionPanel(props: KindChartProps) {
  const { trace, kind, state, setState } = props;
  const theme = useTheme();
  const clock = useClock();
  const [showsTable, setShowsTable] = useState(false);
  const distribution = useDistribution(props);
  const { groups, plot, measure, form, count } = distribution;
  const title = `${visibleText(kind.title)}: distribution`;
  const name = `${visibleText(trace.name)}-${kind.label}-${form}`;
  const save = (format: PictureFormat) => {
    if (plot === undefined) return;
    const option = distributionOption(plot, theme.name, theme.palette, PICTURE_TITLE_PX);
    savePicture(option, theme, PICTURE, { format, name, title: `${title}, ${samplesText(count)}` });
  };
  return (
    <Panel
      title={title}
      note={groups && noteOf(count, props, clock)}
      actions={
        <>
          <ChartWays
            what="the distribution"
            disabled={plot === undefined}
            onTable={() => setShowsTable(true)}
            onPicture={save}
          />
          <StatisticsAsSql {...props} />
        </>
      }
    >
      <DistributionControls
        kind={kind}
        state={state}
        setState={setState}
        longest={groups?.reduce((most, { max_ns }) => Math.max(most, max_ns), 1)}
        measure={measure}
        form={form}
        closeBucket={distribution.closeBucket}
        hasScale={distribution.hasScale}
      />
      <FailedQuery query={distribution.query} />
      <Curves {...props} distribution={distribution} title={title} />
      {showsTable && groups && (
        <DistributionTable
          name={name}
          groups={groups}
          form={form}
          measure={measure}
          onClose={() => setShowsTable(false)}
        />
      )}
    </Panel>
  );
}

/** Of fields, files of measurements and the tasks of one class, the statistics take more than a column. */
function StatisticsAsSql({ trace, kind, state }: KindChartProps) {
  const { field, pid } = kind.request;
  const isTold = field === undefined && state.priority === 'any' && !trace.is_measurement;
  if (!isTold || !isGroupOfSql(state.group)) return null;
  const group = kind.groups.includes(state.group) ? state.group : 'none';
  const samples = { kind: kind.label, pid, window: state.window, stratum: state.stratum };
  const sql = statisticsSql(samples, group);
  return <SqlLink traceId={trace.id} sql={sql} what="the statistics" />;
}

const noteOf = (count: number, { kind, state }: KindChartProps, clock: Clock) =>
  `${samplesText(count)}${state.window ? ` in ${durationOf(state.window, clock)}` : ''}${unmeasuredText(kind, state)}`;

const durationOf = ({ start, end }: NsRange, clock: Clock) => clock.duration(ns(end - start));

interface CurvesProps extends KindChartProps {
  readonly distribution: Distribution;
  readonly title: string;
}

/** The chart and the statistics below it, in a place that is as high before they come. */
function Curves({ trace, kind, state, setState, distribution, title }: CurvesProps) {
  const { query, groups, plot, measure, form, count } = distribution;
  const chooseStratum = useCallback(
    (stratum: Stratum | undefined) => setState({ worst: 'kind', stratum }, { history: 'push' }),
    [setState],
  );
  if (query.isError) return null;
  if (groups !== undefined && count === 0) {
    return (
      <p className={styles.note}>No samples in this window. Zoom out (S) or show the whole trace (F).</p>
    );
  }
  const mark = query.isPlaceholderData ? undefined : `${kind.label} ${form} ${state.group}`;
  return (
    <>
      {plot ? (
        <DistributionChart
          plot={plot}
          label={title}
          renderedMark={mark}
          chosen={chosenBand(state)}
          onChoose={(band) => setState({ worst: 'kind', band }, { history: 'push' })}
        />
      ) : (
        <div className={styles.waiting} />
      )}
      <StatTable
        traceId={trace.id}
        groups={groups}
        form={form}
        measure={measure}
        chosen={state.stratum}
        onChoose={chooseStratum}
      />
    </>
  );
}

type Distribution = ReturnType<typeof useDistribution>;

/** The statistics of the stretch in sight by what the samples are divided by, and the curves that they make. */
function useDistribution({ trace, kind, state }: KindChartProps) {
  const clock = useClock();
  const wide = widthOfBars(kind);
  const query = useQuery(
    statsQuery(trace.id, {
      ...kind.request,
      group_by: kind.groups.includes(state.group) ? state.group : undefined,
      bucket: state.bucket ?? wide ?? 'log2/4',
      start: state.window?.start,
      end: state.window?.end,
    }),
  );
  const answered = query.data?.groups;
  const groups = useMemo(() => answered && groupsOn(clock, answered), [clock, answered]);
  const hasEqualBars = (state.bucket ?? wide) !== undefined;
  const measure = measureOf(unitOn(clock, query.data?.unit ?? kind.worst?.unit));
  const form = state.form ?? usualForm(measure);
  // What lies so close together is flat on a logarithmic scale.
  const hasScale = measure.isTime || groups === undefined || !isWithinOctave(rangeOf(groups));
  const scale = hasScale ? state.scale : 'linear';
  const plot = useMemo(() => {
    if (groups === undefined) return undefined;
    const drawable = drawableGroups(groups, form);
    return distributionPlot(drawable, {
      form,
      scale,
      hasEqualBars,
      measure,
      ...(!measure.isTime && { marks: valueShelves(drawnGroups(drawable), measure) }),
    });
  }, [groups, form, scale, hasEqualBars, measure]);
  const count = groups?.reduce((sum, group) => sum + group.count, 0) ?? 0;
  return { query, groups, measure, form, hasScale, closeBucket: wide, plot, count };
}

/** For a kind whose values lie within one power of two; not known of a single field. */
function widthOfBars({ request, min_ns, max_ns }: ShownKind): Ns | undefined {
  if (request.field !== undefined || min_ns === null || max_ns === null) return undefined;
  return isWithinOctave({ min_ns, max_ns }) ? closeBucket({ min_ns, max_ns }) : undefined;
}

const rangeOf = (groups: readonly Spread[]) => ({
  min_ns: Math.min(...groups.map(({ min_ns }) => min_ns)),
  max_ns: Math.max(...groups.map(({ max_ns }) => max_ns)),
});
