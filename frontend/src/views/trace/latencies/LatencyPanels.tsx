import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { kindsQuery } from '../../../api/latencies';
import type { LatencyKind } from '../../../api/latencyTypes';
import type { Trace } from '../../../api/types';
import { Button } from '../../../components/button/Button';
import { Loading } from '../../../components/Loading';
import { ProblemNote } from '../../../components/problem/ProblemNote';
import { Switch, SwitchGroup } from '../../../components/toolbar/Toolbar';
import { problemOf } from '../../../lib/problem';
import { visibleText } from '../../../lib/visibleText';
import { traceState } from '../../../viewState/trace';
import { useViewState } from '../../../viewState/useViewState';
import { chooseKind, kindsWithSamples } from './chooseKind';
import { InterferencePanel } from './InterferencePanel';
import styles from './LatencyPanels.module.css';
import { WorstCases } from './WorstCases';

// The chart library is large, and the table of worst cases should not wait for it.
const LatencyCharts = lazy(() => import('./LatencyCharts'));

/** The latencies of a trace: the worst cases, one kind over time and its distribution, and what took the time. */
export function LatencyPanels({ trace }: { readonly trace: Trace }) {
  const [state, setState] = useViewState(traceState);
  const kinds = useQuery(kindsQuery(trace.id));
  if (kinds.isError) {
    return (
      <ProblemNote problem={problemOf(kinds.error)}>
        <Button onClick={() => void kinds.refetch()}>Ask again</Button>
      </ProblemNote>
    );
  }
  if (kinds.data === undefined) return <Loading what="the latencies" />;
  const chosen = chooseKind(kinds.data, state.kind);
  const present = kindsWithSamples(kinds.data);
  const isAbsent = state.kind !== '' && chosen?.kind !== state.kind;
  return (
    <div className={styles.latencies}>
      <div className={styles.worst}>
        <WorstCases traceId={trace.id} kinds={kinds.data} chosen={chosen} state={state} setState={setState} />
      </div>
      {chosen && (
        <div className={styles.charts}>
          <KindSwitches
            kinds={present}
            chosen={chosen}
            onKind={(kind) => setState({ kind }, { history: 'push' })}
          />
          {isAbsent && (
            <p className={styles.note} role="status">
              {`This trace has nothing of the kind ${visibleText(state.kind)}; ${visibleText(chosen.kind)} is shown.`}
            </p>
          )}
          <Suspense fallback={<Loading what="the charts" />}>
            <LatencyCharts key={chosen.kind} trace={trace} kind={chosen} state={state} setState={setState} />
          </Suspense>
        </div>
      )}
      <InterferencePanel
        traceId={trace.id}
        durationNs={trace.duration_ns ?? 0}
        state={state}
        setState={setState}
      />
    </div>
  );
}

interface KindSwitchesProps {
  readonly kinds: readonly LatencyKind[];
  readonly chosen: LatencyKind;
  readonly onKind: (kind: string) => void;
}

/** Which kind of latency the charts below show, and what it means. */
function KindSwitches({ kinds, chosen, onKind }: KindSwitchesProps) {
  return (
    <div className={styles.kind}>
      <SwitchGroup name="kind">
        <span className={styles.kinds}>
          {kinds.map(({ kind }) => (
            <Switch key={kind} isOn={kind === chosen.kind} onClick={() => onKind(kind)}>
              {visibleText(kind)}
            </Switch>
          ))}
        </span>
      </SwitchGroup>
      <span className={styles.definition}>{visibleText(chosen.definition)}</span>
    </div>
  );
}
