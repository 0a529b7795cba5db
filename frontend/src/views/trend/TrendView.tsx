import { useQuery } from '@tanstack/react-query';
import type { OfferedMeasure } from '../../api/compare';
import { trendMeasuresQuery, trendQuery, type Trend, type TrendRequest } from '../../api/trend';
import { filterText } from '../../components/compare/filterText';
import { keptClasses } from '../../components/compare/keptClasses';
import { MeasureBar } from '../../components/compare/MeasureBar';
import { TaskFilter } from '../../components/compare/TaskFilter';
import { Loading } from '../../components/Loading';
import { FailedPage, FailedQuery } from '../../components/problem/FailedQuery';
import { Choice } from '../../components/toolbar/Choice';
import { ViewLink } from '../../components/ViewLink';
import { measureOf } from '../../lib/measure';
import { sentenceText, visibleText } from '../../lib/visibleText';
import { samplesSearch } from '../../viewState/traces';
import { paths } from '../../viewState/paths';
import { BY_NAME, isByLabel } from '../../lib/runOrder';
import { trendState, type TrendState } from '../../viewState/trend';
import { useViewState, type SetViewState } from '../../viewState/useViewState';
import { BaselineBar } from './BaselineBar';
import { BaselineCheck } from './BaselineCheck';
import { Changes } from './Changes';
import { HowToTrend } from './HowToTrend';
import { Runs } from './Runs';
import styles from './Trend.module.css';
import { useBaselineBand } from './useBaselineBand';
import { leftOutText, trendSentence } from './trendText';

/** One number of many runs in their order, where it changed for good, and what changed there. */
export default function TrendView() {
  const [state, setState] = useViewState(trendState);
  const { labels, traces } = state;
  const isEmpty = labels.length === 0 && traces.length === 0;
  const offered = useQuery({ ...trendMeasuresQuery({ labels, traces }), enabled: !isEmpty });
  const measures = offered.data?.measures.filter(isWhole);
  const asked = measures && requestOf(state, measures);
  const answer = useQuery({ ...trendQuery(asked ?? NOBODY), enabled: asked !== undefined });
  const band = useBaselineBand(state.baseline, asked, answer.data?.unit);
  if (isEmpty) return <HowToTrend />;
  if (offered.isError) return <FailedPage query={offered} />;
  if (offered.data === undefined || measures === undefined) return <Loading what="the runs" />;
  if (asked === undefined) {
    return <Nothing why={offered.data.variants[0]?.traces.length === 0 ? NO_RUNS : NO_SAMPLES} />;
  }
  const trend = answer.data;
  return (
    <>
      <header className={styles.head} aria-busy={trend === undefined}>
        <h1 className={styles.sentence}>
          {trend ? trendSentence(trend, state.stat, measureOf(trend.unit), state.by) : 'Reading the runs…'}
        </h1>
        <p className={styles.quiet}>{notesOf(state, asked, trend).join(' ')}</p>
      </header>
      <MeasureBar verb="trend of" measures={measures} asked={asked} setState={setState}>
        {isOfTasks(measures, asked) ? (
          <TaskFilter tasks={offered.data.tasks} state={asked} setState={setState} />
        ) : null}
        <OrderChoice runs={offered.data.variants[0]?.traces ?? []} by={state.by} setState={setState} />
      </MeasureBar>
      <BaselineBar state={state} setState={setState} shown={asked.priority} />
      <FailedQuery query={answer} />
      {answer.isError ? null : (
        <Runs
          trend={trend}
          state={state}
          setState={setState}
          measure={asked}
          band={band}
          isOld={answer.isPlaceholderData}
        />
      )}
      {trend ? <Changes trend={trend} state={state} setState={setState} measure={asked} /> : null}
      {trend && state.baseline !== '' ? (
        <BaselineCheck trend={trend} state={state} setState={setState} measure={asked} />
      ) : null}
    </>
  );
}

/** Values of all fields together are of no unit. */
const isWhole = ({ kind, key }: { readonly kind: string; readonly key: string | null }) =>
  kind !== 'field' || key !== null;

const NOBODY: TrendRequest = {
  labels: [],
  traces: [],
  kind: '',
  key: null,
  cpu: undefined,
  comm: '',
  priority: [],
  by: '',
  stat: 'p99_ns',
};

function requestOf(state: TrendState, measures: readonly OfferedMeasure[]): TrendRequest | undefined {
  const [first] = measures;
  if (first === undefined) return undefined;
  const { kind, key } = state.kind === '' ? first : { kind: state.kind, key: state.key || null };
  const measure = measures.find((one) => one.kind === kind && one.key === key);
  // Links to a baseline that name no classes mean all of them, as it does.
  const priority = keptClasses(state, state.baseline === '' ? measure : undefined);
  const { labels, traces, cpu, comm, by, stat } = state;
  return { labels, traces, kind, key, cpu, comm, priority, by, stat };
}

/** Which of the samples are followed, and which traces are not. */
const notesOf = (state: TrendState, asked: TrendRequest, trend: Trend | undefined) =>
  [
    filterText(asked, state.priority !== undefined),
    trend && leftOutText(trend, state.by),
    ...(trend?.guard.map(sentenceText) ?? []),
  ].filter((text) => text !== undefined && text !== '');

/** Whether the samples are of tasks, or are already kept to those of some. */
function isOfTasks(measures: readonly OfferedMeasure[], asked: TrendRequest): boolean {
  const own = measures.find(({ kind, key }) => kind === asked.kind && key === asked.key);
  return own?.splits.includes('task') === true || asked.comm !== '' || asked.priority.length > 0;
}

/** Nothing went wrong: there is nothing to draw yet, and the way on is said. */
function Nothing({ why: { title, detail } }: { readonly why: typeof NO_RUNS }) {
  return (
    <section className={styles.empty}>
      <h1>{title}</h1>
      <p>{detail}</p>
      <ViewLink to={paths.traces()}>All traces</ViewLink>
      <ViewLink to={paths.traces()} search={samplesSearch}>
        Try it with the samples
      </ViewLink>
    </section>
  );
}

const NO_RUNS = {
  title: 'No trace has these labels',
  detail: 'The labels of the traces may have changed since this link was made, or the traces were deleted.',
};

const NO_SAMPLES = {
  title: 'Nothing to follow yet',
  detail:
    'None of these traces has latencies, or none is loaded yet. The page of a trace says what would have to be recorded.',
};

interface OrderChoiceProps {
  readonly runs: readonly { readonly labels: Readonly<Record<string, string>> }[];
  readonly by: string;
  readonly setState: SetViewState<TrendState>;
}

/** The order of the runs: by upload, by name, or by the values of a label. */
function OrderChoice({ runs, by, setState }: OrderChoiceProps) {
  const labels = new Set(runs.flatMap((run) => Object.keys(run.labels)));
  if (isByLabel(by)) labels.add(by);
  return (
    <Choice name="in order of" isNarrow>
      <select value={by} onChange={({ target }) => setState({ by: target.value }, { history: 'push' })}>
        <option value="">upload</option>
        <option value={BY_NAME}>name</option>
        {[...labels].toSorted().map((label) => (
          <option key={label} value={label}>
            {visibleText(label)}
          </option>
        ))}
      </select>
    </Choice>
  );
}
