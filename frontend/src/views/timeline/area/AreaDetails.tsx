import type { Trace } from '../../../api/types';
import { useSliceTotals } from '../../../api/sliceTotals';
import { useClock } from '../../../components/clock/useClock';
import { Button } from '../../../components/button/Button';
import { spanOf, type TimeWindow } from '../../../components/chart/timeWindow';
import { FailedQuery } from '../../../components/problem/FailedQuery';
import { Duration } from '../../../components/Quantity';
import { SqlLink } from '../../../components/SqlLink';
import { Switch, SwitchGroup } from '../../../components/toolbar/Toolbar';
import { sliceTotalsSql } from '../../../lib/asSql';
import { groupDigits, ns } from '../../../lib/ns';
import { AREA_GROUPINGS, type TimelineState } from '../../../viewState/timeline';
import type { SetViewState } from '../../../viewState/useViewState';
import styles from '../Details.module.css';
import { Exact } from '../../../components/Exact';
import { AreaTable } from './AreaTable';
import { areaRows, availableNs, sortedRows } from './areaTotals';
import { saveAreaCsv } from './saveAreaCsv';

interface AreaDetailsProps {
  readonly trace: Trace;
  readonly area: TimeWindow;
  readonly state: TimelineState;
  readonly setState: SetViewState<TimelineState>;
  readonly onFrame: (area: TimeWindow) => void;
}

const MOST_ROWS = 200;
const GROUPING_NAMES = { name: 'name', task: 'task', cpu: 'CPU' } as const;

/** Length of the selected stretch, and what every task, interrupt, softirq and idle state took of it. */
export function AreaDetails({ trace, area, state, setState, onFrame }: AreaDetailsProps) {
  const clock = useClock();
  const { by, sort, cpu } = state;
  const totals = useSliceTotals(trace.id, { start: area.start, end: area.end, cpu });
  const length = ns(spanOf(area));
  const cpuCount = cpu.length || (trace.cpus?.length ?? 1);
  const rows = sortedRows(areaRows(totals.data?.pages ?? [], by), sort);
  const leftOut = (totals.data?.pages ?? []).reduce((sum, { left_out }) => sum + left_out.rows, 0);
  const isBusy = totals.isFetching || totals.hasNextPage;
  const available = availableNs(by, length, cpuCount);
  return (
    <>
      <h3 className={styles.kind}>Selected range</h3>
      <p className={styles.name} data-testid="area-length">
        <Duration value={length} /> <Exact value={length} />
      </p>
      <p className={styles.quiet}>{clock.range(ns(area.start), ns(area.end))}</p>
      <p className={styles.ways}>
        <Button onClick={() => onFrame(area)}>Zoom to it</Button>
        <Button
          disabled={rows.length === 0 || isBusy}
          onClick={() => saveAreaCsv(trace, area, rows, available)}
        >
          Save as CSV
        </Button>
        {rows.length > 0 && (
          <SqlLink
            traceId={trace.id}
            sql={sliceTotalsSql({ window: area, cpu, by, kinds: [...new Set(rows.map(({ kind }) => kind))] })}
            what="what took the time of the range"
          />
        )}
      </p>
      <SwitchGroup name="by">
        {AREA_GROUPINGS.map((one) => (
          <Switch key={one} isOn={by === one} onClick={() => setState({ by: one })}>
            {GROUPING_NAMES[one]}
          </Switch>
        ))}
      </SwitchGroup>
      <FailedQuery query={totals} />
      {rows.length > 0 && (
        <AreaTable
          rows={rows.slice(0, MOST_ROWS)}
          available={available}
          sort={sort}
          onSort={(wanted) => setState({ sort: wanted })}
          onFrame={onFrame}
        />
      )}
      <p className={styles.quiet} role="status">
        {noteText({ rowCount: rows.length, isBusy, isError: totals.isError })}
      </p>
      {rows.length > MOST_ROWS && (
        <p className={styles.quiet}>{`and ${groupDigits(rows.length - MOST_ROWS)} more, in the CSV`}</p>
      )}
      {leftOut > 0 && (
        <p className={styles.quiet}>
          {`${groupDigits(leftOut)} of the smallest rows are left out. Select a shorter range or fewer CPUs.`}
        </p>
      )}
      {rows.length > 0 && (
        <p className={styles.quiet}>
          {by === 'cpu'
            ? `Shares are of ${clock.duration(length)} of each CPU.`
            : `Shares are of ${clock.duration(length)} of ${groupDigits(cpuCount)} ${cpuCount === 1 ? 'CPU' : 'CPUs'}.`}
        </p>
      )}
    </>
  );
}

interface Progress {
  readonly rowCount: number;
  readonly isBusy: boolean;
  readonly isError: boolean;
}

function noteText({ rowCount, isBusy, isError }: Progress): string {
  if (isError) return '';
  if (isBusy) return rowCount > 0 ? 'Summing up …' : 'Loading …';
  return rowCount === 0 ? 'Nothing was recorded here.' : '';
}
