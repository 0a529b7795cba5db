import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { statsQuery } from '../../../api/latencies';
import type { Trace } from '../../../api/types';
import { PICTURE_TITLE_PX, savePicture } from '../../../components/chart/exportPicture';
import { ChartWays } from '../../../components/chart/ChartWays';
import { Panel } from '../../../components/panel/Panel';
import { FailedQuery } from '../../../components/problem/FailedQuery';
import { useTheme } from '../../../components/theme/theme';
import { measureOf } from '../../../lib/measure';
import { durationText, ns } from '../../../lib/ns';
import { visibleText } from '../../../lib/visibleText';
import type { TraceState } from '../../../viewState/trace';
import type { SetViewState } from '../../../viewState/useViewState';
import { distributionPlot } from './distribution';
import { DistributionChart } from './DistributionChart';
import { DistributionControls } from './DistributionControls';
import { distributionOption } from './distributionOption';
import styles from './DistributionPanel.module.css';
import { DistributionTable } from './DistributionTable';
import { samplesText } from './samplesText';
import type { ShownKind } from './shownKind';
import { StatTable } from './StatTable';

interface DistributionPanelProps {
  readonly trace: Trace;
  readonly kind: ShownKind;
  readonly state: TraceState;
  readonly setState: SetViewState<TraceState>;
}

const PICTURE = { width: 1200, height: 480 };

/** How the latencies of a kind are spread: histogram, percentile curve or sorted samples, and their statistics. */
export function DistributionPanel({ trace, kind, state, setState }: DistributionPanelProps) {
  const theme = useTheme();
  const [showsTable, setShowsTable] = useState(false);
  const isGrouped = kind.groups.includes(state.group);
  const stats = useQuery(
    statsQuery(trace.id, {
      ...kind.asked,
      group_by: isGrouped ? state.group : undefined,
      bucket: state.bucket ?? 'log2',
      start: state.window?.start,
      end: state.window?.end,
    }),
  );
  const groups = stats.data?.groups;
  const hasEqualBars = state.bucket !== undefined;
  const measure = measureOf(stats.data?.unit);
  const plot = useMemo(
    () => groups && distributionPlot(groups, { form: state.form, scale: state.scale, hasEqualBars, measure }),
    [groups, state.form, state.scale, hasEqualBars, measure],
  );
  const title = `${visibleText(kind.title)}: distribution`;
  const fileName = `${visibleText(trace.name)}-${kind.label}-${state.form}`;
  const count = groups?.reduce((sum, group) => sum + group.count, 0) ?? 0;
  return (
    <Panel
      title={title}
      note={groups && `${samplesText(count)}${state.window ? ` in ${durationOf(state.window)}` : ''}`}
      actions={
        plot && (
          <ChartWays
            what="the distribution"
            onTable={() => setShowsTable(true)}
            onPicture={(format) =>
              savePicture(
                distributionOption(plot, theme.name, theme.palette, PICTURE_TITLE_PX),
                theme,
                PICTURE,
                {
                  format,
                  name: fileName,
                  title: `${title}, ${samplesText(count)}`,
                },
              )
            }
          />
        )
      }
    >
      <DistributionControls
        kind={kind}
        state={state}
        setState={setState}
        longest={groups?.reduce((most, { max_ns }) => Math.max(most, max_ns), 1)}
      />
      <FailedQuery query={stats} />
      {stats.isError ? null : groups !== undefined && count === 0 ? (
        <p className={styles.note}>No samples in this stretch. Zoom out (S), or show the whole trace (F).</p>
      ) : (
        <>
          {plot ? (
            <DistributionChart
              plot={plot}
              label={title}
              renderedMark={
                stats.isPlaceholderData ? undefined : `${kind.label} ${state.form} ${state.group}`
              }
            />
          ) : (
            <div className={styles.waiting} />
          )}
          <StatTable traceId={trace.id} groups={groups} measure={measure} />
        </>
      )}
      {showsTable && groups && plot && (
        <DistributionTable
          name={fileName}
          groups={groups}
          form={state.form}
          measure={measure}
          onClose={() => setShowsTable(false)}
        />
      )}
    </Panel>
  );
}

const durationOf = ({ start, end }: { readonly start: number; readonly end: number }) =>
  durationText(ns(end - start));
