import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react';
import { kindsQuery, tasksQuery } from '../../../api/latencies';
import type { LatencyKind, LatencyTask } from '../../../api/latencyTypes';
import type { Trace } from '../../../api/types';
import { Loading } from '../../../components/Loading';
import { FailedQuery } from '../../../components/problem/FailedQuery';
import { Term } from '../../../components/term/Term';
import { KindLink } from '../../../components/HelpLink';
import { Switch, SwitchGroup } from '../../../components/toolbar/Toolbar';
import { visibleText } from '../../../lib/visibleText';
import { traceState, type TraceState } from '../../../viewState/trace';
import { useViewState } from '../../../viewState/useViewState';
import { AboutTasks } from './AboutTasks';
import { kindsWithSamples } from '../../../lib/usualKind';
import { areFew, FewSamples } from './FewSamples';
import { FieldPicker } from './FieldPicker';
import { InterferencePanel } from './InterferencePanel';
import styles from './LatencyPanels.module.css';
import { shownKind, tasksOf, type ShownKind } from './shownKind';
import { TaskChoice } from './TaskChoice';
import { WorstCases } from './WorstCases';

// The chart library is large, and the table of worst cases should not wait for it.
const loadCharts = () => import('./LatencyCharts');
const LatencyCharts = lazy(loadCharts);

const NO_TASKS: readonly LatencyTask[] = [];

/** The latencies of a trace: the worst cases, one kind over time and its distribution, and what took the time. */
export function LatencyPanels({ trace }: { readonly trace: Trace }) {
  const [state, setState] = useViewState(traceState);
  const kinds = useQuery(kindsQuery(trace.id, tasksOf(state)));
  const tasks = useQuery(tasksQuery(trace.id));
  const cases = useRef<HTMLDivElement>(null);
  // They come while the server is asked for what they draw.
  useEffect(() => void loadCharts(), []);
  if (kinds.isError) {
    return <FailedQuery query={kinds} />;
  }
  if (kinds.data === undefined || tasks.isPending) {
    return (
      <div className={styles.waiting}>
        <Loading what="the latencies" />
      </div>
    );
  }
  const chosen = shownKind(kinds.data, state);
  const present = kindsWithSamples(kinds.data);
  const isTrace = !trace.is_measurement;
  const isAbsent = state.kind !== '' && chosen?.kind !== state.kind;
  return (
    <div className={styles.latencies}>
      <div className={styles.worst}>
        <FailedQuery query={tasks} />
        <AboutTasks
          traceId={trace.id}
          tasks={tasks.data?.items ?? NO_TASKS}
          sort={state.order}
          onSort={(order) => setState({ order }, { history: 'push' })}
        />
        <TaskChoice tasks={tasks.data?.items ?? NO_TASKS} state={state} setState={setState} />
        <WorstCases
          traceId={trace.id}
          kinds={isTrace ? kinds.data : present}
          chosen={chosen}
          state={state}
          setState={setState}
          box={cases}
        />
      </div>
      {chosen && (
        <div className={styles.charts}>
          <KindSwitches
            kinds={present}
            chosen={chosen}
            onKind={(kind) =>
              setState(
                { kind, field: '', unit: 'recorded', band: undefined, stratum: undefined },
                { history: 'push' },
              )
            }
          >
            {isTrace && (trace.event_count ?? 0) > 0 && (
              <FieldPicker
                traceId={trace.id}
                field={chosen.request.field ?? ''}
                unit={state.unit}
                onField={(field) => setState(stateOfField(field), { history: 'push' })}
                onUnit={(unit) => setState({ unit }, { history: 'push' })}
              />
            )}
          </KindSwitches>
          {isAbsent && (
            <p className={styles.note} role="status">
              {`This trace has no latencies of the kind ${visibleText(state.kind)}; showing ${visibleText(chosen.kind)}.`}
            </p>
          )}
          {areFew(chosen, trace) ? (
            <FewSamples trace={trace} kind={chosen} />
          ) : (
            <Suspense
              fallback={
                <div className={styles.waiting}>
                  <Loading what="the charts" />
                </div>
              }
            >
              <LatencyCharts
                key={`${chosen.label} ${state.unit}`}
                trace={trace}
                kind={chosen}
                state={state}
                setState={setState}
                onShowCases={() => showCases(cases.current)}
              />
            </Suspense>
          )}
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

/** The next Tab leads to the first of them. */
function showCases(box: HTMLElement | null): void {
  box?.focus({ preventScroll: true });
  box?.closest('section')?.scrollIntoView({ block: 'start' });
}

/** The worst cases of a field are what it is looked at for; without one, the kind is the usual one again. */
function stateOfField(field: string): Partial<TraceState> {
  const isField = field !== '';
  return {
    kind: isField ? 'field' : '',
    field,
    unit: 'recorded',
    worst: isField ? 'kind' : 'each',
    band: undefined,
    stratum: undefined,
  };
}

interface KindSwitchesProps {
  readonly kinds: readonly LatencyKind[];
  readonly chosen: ShownKind;
  readonly onKind: (kind: string) => void;
  readonly children: ReactNode;
}

/** Which kind of latency the charts below show, and what it means. */
function KindSwitches({ kinds, chosen, onKind, children }: KindSwitchesProps) {
  return (
    <div className={styles.kind}>
      <SwitchGroup name="kind">
        <span className={styles.kinds}>
          {kinds.map(({ kind, title, definition }) => (
            <Term key={kind} title={title} meaning={definition}>
              <Switch isOn={kind === chosen.label} onClick={() => onKind(kind)}>
                {visibleText(kind)}
              </Switch>
            </Term>
          ))}
        </span>
      </SwitchGroup>
      {children}
      <span className={styles.definition}>
        {visibleText(chosen.definition)} <KindLink kind={chosen.kind}>More</KindLink>
      </span>
    </div>
  );
}
