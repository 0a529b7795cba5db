import { useCallback, useState, type ReactNode } from 'react';
import type { Trace } from '../../api/types';
import { Command } from '../../components/Command';
import { useExportFormats } from '../../api/catalog';
import { ExportButton } from '../../components/export/ExportButton';
import { useKeys } from '../../components/keys/keys';
import { CpuSwitches, Switch, SwitchGroup } from '../../components/toolbar/Toolbar';
import { visibleText } from '../../lib/visibleText';
import { callsState, type CallsState } from '../../viewState/calls';
import { useViewState, type SetViewState } from '../../viewState/useViewState';
import styles from './Calls.module.css';
import { FlameChart } from './FlameChart';
import { FlameGraph } from './FlameGraph';
import { FunctionTable } from './FunctionTable';
import { rowsFor, wantsOpeningCall, type OpeningCall } from './openingCall';
import { FindOpeningCall, OpeningNote } from './FindOpeningCall';
import { useParams } from '@tanstack/react-router';
import { useTrace } from '../../api/traces';
import { TraceGate } from '../../components/TraceGate';

export interface CallsPart {
  readonly trace: Trace;
  readonly state: CallsState;
  readonly setState: SetViewState<CallsState>;
  /** The switches that all parts of the page have in common, for the left end of their toolbars. */
  readonly switches: ReactNode;
}

const PARTS = { chart: FlameChart, graph: FlameGraph, functions: FunctionTable } as const;
const PART_NAMES = { chart: 'Over time', graph: 'Merged', functions: 'Functions' } as const;
const PART_ORDER = ['chart', 'graph', 'functions'] as const;
const NO_CPUS: readonly number[] = [];

/** Function calls: over time, merged by stack, or listed by function. */
export function Calls({ trace }: { readonly trace: Trace }) {
  const [state, setState] = useViewState(callsState);
  const opening = useOpening(trace, state, setState);
  const exportFormats = useExportFormats();
  const show = (part: CallsState['show']) => setState({ show: part }, { history: 'push' });
  useKeys('Calls', [
    { keys: ['t', 'T'], does: 'Calls over time', run: () => show('chart') },
    { keys: ['g', 'G'], does: 'Calls merged by stack', run: () => show('graph') },
    { keys: ['l', 'L'], does: 'List of functions', run: () => show('functions') },
  ]);
  if ((trace.call_count ?? 0) === 0) return <NoCalls />;
  const Part = PARTS[state.show];
  const switches = (
    <>
      <SwitchGroup name="Calls">
        {PART_ORDER.map((part) => (
          <Switch key={part} isOn={state.show === part} onClick={() => show(part)}>
            {PART_NAMES[part]}
          </Switch>
        ))}
      </SwitchGroup>
      {state.show !== 'functions' && (
        <>
          <CpuSwitches cpus={trace.cpus ?? NO_CPUS} shown={state.cpu} onShown={(cpu) => setState({ cpu })} />
          <PidField pids={state.pid} onPids={(pid) => setState({ pid })} />
        </>
      )}
      <ExportButton trace={trace} formats={exportFormats} part={{ window: state.window, cpu: state.cpu }} />
    </>
  );
  return (
    <div className={styles.page}>
      <h1 className="unseen">{`Calls of ${visibleText(trace.name)}`}</h1>
      {trace.time_origin === 'derived' && (
        <p className={styles.derived} role="note">
          This file has durations but no timestamps. Each call is placed by the durations before it on its
          CPU; gaps between calls are unknown.
        </p>
      )}
      {opening.call !== undefined && opening.call.id === state.call && state.show === 'chart' && (
        <OpeningNote
          call={opening.call}
          onWhole={() => setState({ call: undefined, window: undefined }, { history: 'push' })}
        />
      )}
      {opening.isWanted ? (
        <FindOpeningCall trace={trace} onFound={opening.onFound} />
      ) : (
        <Part trace={trace} state={state} setState={setState} switches={switches} />
      )}
    </div>
  );
}

/** The call that the page opens on where nothing is chosen; looked for once, so that the whole can be shown later. */
function useOpening(trace: Trace, state: CallsState, setState: SetViewState<CallsState>) {
  const [found, setFound] = useState<{
    readonly call: OpeningCall | undefined;
    /** The address does not name it yet: until it does, the whole trace would be drawn. */
    readonly isOnItsWay: boolean;
  }>();
  const onFound = useCallback(
    (call: OpeningCall | undefined) => {
      setFound({ call, isOnItsWay: call !== undefined });
      if (call) setState({ call: call.id, by: rowsFor(call.id), window: call.window });
    },
    [setState],
  );
  if (found?.isOnItsWay && state.call !== undefined) setFound({ ...found, isOnItsWay: false });
  const isWanted = (found?.isOnItsWay ?? true) && wantsOpeningCall(trace, state);
  return { isWanted, call: found?.call, onFound };
}

/** What to record so that there are calls to see. */
function NoCalls() {
  return (
    <section className={styles.empty}>
      <h1>No function calls in this trace</h1>
      <p>
        The function_graph tracer records when functions are entered and left. To record all that a timer
        interrupt does:
      </p>
      <Command text="trace-cmd record -p function_graph -g hrtimer_interrupt --max-graph-depth 16 sleep 5" />
      <p>
        When recording through tracefs, also set the options <code>funcgraph-abstime</code> and{' '}
        <code>funcgraph-proc</code>, which add the time and the task.
      </p>
    </section>
  );
}

interface PidFieldProps {
  readonly pids: readonly number[];
  readonly onPids: (pids: readonly number[]) => void;
}

const MOST_PIDS = 256;

/** Which tasks' calls are shown, by pid; empty means all. */
function PidField({ pids, onPids }: PidFieldProps) {
  const apply = (text: string) => {
    const named = text.match(/\d{1,7}/g)?.map(Number) ?? [];
    onPids([...new Set(named)].slice(0, MOST_PIDS).toSorted((a, b) => a - b));
  };
  return (
    <label>
      <span className={styles.quiet}>pid </span>
      <input
        key={pids.join(',')}
        className={styles.pids}
        defaultValue={pids.join(', ')}
        placeholder="all tasks"
        aria-label="Pids of the tasks to show, such as 1213, 42"
        onBlur={(event) => apply(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
    </label>
  );
}

/** The calls page. */
export default function CallsView() {
  const { trace: id = '' }: { readonly trace?: string } = useParams({ strict: false });
  const trace = useTrace(id);
  return <TraceGate query={trace}>{(ready) => <Calls key={ready.id} trace={ready} />}</TraceGate>;
}
