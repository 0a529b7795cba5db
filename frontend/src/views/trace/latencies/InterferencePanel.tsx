import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { interferenceQuery } from '../../../api/latencies';
import { useClock } from '../../../components/clock/useClock';
import { Panel } from '../../../components/panel/Panel';
import { FailedQuery } from '../../../components/problem/FailedQuery';
import { Table } from '../../../components/table/Table';
import { Switch, SwitchGroup } from '../../../components/toolbar/Toolbar';
import { Unplaced } from '../../../components/Unplaced';
import type { TraceState } from '../../../viewState/trace';
import type { SetViewState } from '../../../viewState/useViewState';
import { hertzText, interferenceTable, omittedText, type InterferenceRow } from './interference';
import { interferenceColumns } from './interferenceColumns';
import styles from './InterferencePanel.module.css';
import type { Interference } from '../../../api/latencyTypes';
import { groupDigits, ns } from '../../../lib/ns';
import { percentText } from '../../../lib/percent';

interface InterferencePanelProps {
  readonly traceId: string;
  readonly durationNs: number;
  readonly state: TraceState;
  readonly setState: SetViewState<TraceState>;
}

const NOTHING: readonly InterferenceRow[] = [];

/** What interrupts, softirqs and other tasks took from every CPU, or from every task. */
export function InterferencePanel({ traceId, durationNs, state, setState }: InterferencePanelProps) {
  const clock = useClock();
  const answer = useQuery(interferenceQuery(traceId));
  const by = state.taken;
  const table = useMemo(
    () => answer.data && interferenceTable(answer.data, by, state.cpu),
    [answer.data, by, state.cpu],
  );
  const columns = useMemo(() => interferenceColumns(traceId, durationNs, by), [traceId, durationNs, by]);
  if (answer.data && answer.data.cpus.every((cpu) => cpu.by.length === 0)) return null;
  return (
    <Panel
      title="Interference"
      note={
        (by === 'cpu' ? 'what took time from each CPU' : 'what took time from each task while it ran') +
        (clock.isCounting ? ', in clock ticks' : '')
      }
      actions={
        <SwitchGroup name="of each">
          <Switch isOn={by === 'cpu'} onClick={() => setState({ taken: 'cpu' })}>
            CPU
          </Switch>
          <Switch isOn={by === 'task'} onClick={() => setState({ taken: 'task' })}>
            task
          </Switch>
        </SwitchGroup>
      }
    >
      {answer.isError ? (
        <FailedQuery query={answer} />
      ) : (
        <div>
          {answer.isPending && <Unplaced />}
          <Table
            label="Interference"
            columns={columns}
            rows={table?.rows ?? NOTHING}
            keyOf={(row) => row.key}
            skeleton={answer.isPending ? 8 : 0}
          />
        </div>
      )}
      {table?.rows.length === 0 ? (
        <p className={styles.note}>Nothing that was recorded took time from a running task.</p>
      ) : null}
      {table ? <p className={styles.note}>{omittedText(table, by)}</p> : null}
      {answer.data && by === 'cpu' ? <TickTable ticks={answer.data.ticks} /> : null}
    </Panel>
  );
}

/** How often the tick came on each CPU, and what it cost. */
function TickTable({ ticks }: Pick<Interference, 'ticks'>) {
  const clock = useClock();
  const seen = ticks.filter(({ count }) => count > 0);
  if (seen.length === 0) return null;
  return (
    <ul className={styles.ticks} aria-label="Timer ticks">
      {seen.map(({ cpu, is_handler_known, count, mean_ns, max_ns, rate_hz_milli, share }) => (
        <li key={cpu}>
          {[
            `${is_handler_known ? 'Tick' : 'Timer interrupts'} on CPU ${cpu}: ${groupDigits(count)}`,
            rate_hz_milli === null || clock.isCounting ? undefined : hertzText(rate_hz_milli),
            `mean ${clock.duration(ns(mean_ns))}`,
            `longest ${clock.duration(ns(max_ns))}`,
            `${percentText(share, 1)} of the CPU`,
          ]
            .filter((part) => part !== undefined)
            .join(' · ')}
        </li>
      ))}
    </ul>
  );
}
