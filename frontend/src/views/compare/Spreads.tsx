import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import {
  spreadsQuery,
  type CompareRequest,
  type QuantumShelves,
  type VariantSpread,
} from '../../api/compare';
import { ChartWays } from '../../components/chart/ChartWays';
import { PICTURE_TITLE_PX, savePicture } from '../../components/chart/exportPicture';
import type { PictureFormat } from '../../components/chart/pictureFile';
import { distributionPlot } from '../../components/distribution/distribution';
import { DistributionChart } from '../../components/distribution/DistributionChart';
import { distributionOption } from '../../components/distribution/distributionOption';
import { usualForm } from '../../components/distribution/usual';
import { DistributionTable } from '../../components/distribution/DistributionTable';
import { Panel } from '../../components/panel/Panel';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { useTheme } from '../../components/theme/theme';
import { ScaleSwitch, Switch, SwitchGroup } from '../../components/toolbar/Toolbar';
import { measureOf } from '../../lib/measure';
import { countText } from '../../lib/ns';
import type { Spread } from '../../lib/spread';
import type { CompareState } from '../../viewState/compare';
import { DISTRIBUTION_FORMS } from '../../viewState/trace';
import type { SetViewState } from '../../viewState/useViewState';
import styles from './Compare.module.css';
import { shelfMarks } from './shelfMarks';

interface SpreadsProps {
  readonly asked: CompareRequest;
  readonly state: CompareState;
  readonly setState: SetViewState<CompareState>;
  /** Of counts of work, to be marked. */
  readonly shelves: QuantumShelves | undefined;
}

const NONE: readonly string[] = [];
const PICTURE = { width: 1200, height: 480 };
const TITLE = 'Distribution';

/** The samples of all variants on one scale: bars, percentiles to five nines, or sorted. */
export function Spreads({ asked, state, setState, shelves }: SpreadsProps) {
  // The curves are the same whatever else the samples are split by.
  const query = useQuery(spreadsQuery({ ...asked, strata: NONE }));
  const theme = useTheme();
  const [showsTable, setShowsTable] = useState(false);
  const { data } = query;
  // Counts lie close together, and have shelves.
  const isCounts = data?.unit === 'none';
  const scale = isCounts ? 'linear' : state.scale;
  const marks = useMemo(() => shelves && shelfMarks(shelves), [shelves]);
  const groups = useMemo(() => data?.variants.map(spreadOf), [data]);
  const measure = measureOf(data?.unit);
  const form = state.form ?? usualForm(measure);
  const hasEqualBars = data?.bars === 'equal';
  const plot = useMemo(
    () =>
      groups && groups.length > 0
        ? distributionPlot(groups, { form, scale, hasEqualBars, measure, ...(marks && { marks }) })
        : undefined,
    [groups, form, scale, hasEqualBars, measure, marks],
  );
  const name = `compare-${asked.kind}-${form}`;
  const save = (format: PictureFormat) => {
    if (plot === undefined) return;
    const option = distributionOption(plot, theme.name, theme.palette, PICTURE_TITLE_PX);
    savePicture(option, theme, PICTURE, { format, name, title: `${asked.key ?? asked.kind}: ${TITLE}` });
  };
  return (
    <Panel
      title={TITLE}
      note={data && samplesNote(data.variants, data.exact)}
      actions={
        <ChartWays
          what="the distribution"
          disabled={plot === undefined}
          onTable={() => setShowsTable(true)}
          onPicture={save}
        />
      }
    >
      <div className={styles.controls}>
        <SwitchGroup name="as">
          {DISTRIBUTION_FORMS.map((one) => (
            <Switch key={one} isOn={form === one} onClick={() => setState({ form: one })}>
              {one}
            </Switch>
          ))}
        </SwitchGroup>
        {form === 'histogram' || isCounts ? null : (
          <ScaleSwitch scale={scale} onScale={(next) => setState({ scale: next })} />
        )}
      </div>
      <FailedQuery query={query} />
      {plot ? (
        <DistributionChart
          plot={plot}
          label="Distribution of all variants"
          renderedMark={query.isPlaceholderData ? undefined : `${asked.kind} ${form} ${scale}`}
        />
      ) : (
        <div className={styles.waiting} />
      )}
      {showsTable && groups ? (
        <DistributionTable
          name={name}
          groups={groups}
          form={form}
          measure={measure}
          onClose={() => setShowsTable(false)}
        />
      ) : null}
    </Panel>
  );
}

const spreadOf = ({ name, ...spread }: VariantSpread): Spread => ({ ...spread, group: { label: name } });

function samplesNote(variants: readonly VariantSpread[], isExact: boolean): string {
  const count = variants.reduce((sum, one) => sum + one.count, 0);
  return `${countText(count, 'sample')}${isExact ? '' : ', each within a 512th of its value'}`;
}
