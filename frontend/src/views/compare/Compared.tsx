import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import {
  compareQuery,
  measuresQuery,
  shelvesQuery,
  type CompareRequest,
  type OfferedMeasure,
} from '../../api/compare';
import type { Experiment } from '../../api/experiments';
import { ClockContext } from '../../components/clock/useClock';
import { MeasureBar } from '../../components/compare/MeasureBar';
import { filterText } from '../../components/compare/filterText';
import { keptClasses } from '../../components/compare/keptClasses';
import { TaskFilter } from '../../components/compare/TaskFilter';
import { Loading } from '../../components/Loading';
import { FailedPage, FailedQuery } from '../../components/problem/FailedQuery';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { ViewLink } from '../../components/ViewLink';
import { clockOf } from '../../lib/clock';
import { withBaseline, withoutTraces } from '../../lib/variants';
import type { CompareState } from '../../viewState/compare';
import { paths } from '../../viewState/paths';
import type { SetViewState } from '../../viewState/useViewState';
import { Card } from './Card';
import styles from './Compare.module.css';
import { CaseGroups } from './CaseGroups';
import { CauseTable } from './CauseTable';
import { CompareHead } from './CompareHead';
import { DeletedNote } from './DeletedNote';
import { ExactNote } from './ExactNote';
import { ExperimentBar } from './ExperimentBar';
import { MeasuredAndTraced } from './MeasuredAndTraced';
import { Shelves } from './Shelves';
import { Spreads } from './Spreads';
import { Strata } from './Strata';
import { tracedRequest } from './traced';
import { useExact } from './useExact';
import { VariantsPanel } from './VariantsPanel';

interface ComparedProps {
  readonly state: CompareState;
  readonly setState: SetViewState<CompareState>;
  /** What the comparison was saved as. */
  readonly saved?: Experiment;
}

/** Groups of traces compared by one measure: what differs, how sure that is, and what else differs. */
export function Compared({ state, setState, saved }: ComparedProps) {
  const offered = useQuery(measuresQuery(state.variants));
  const measures = offered.data?.measures.filter(isWhole);
  const gone = new Set(offered.data?.variants.flatMap(({ missing }) => missing));
  const left = withoutTraces(state.variants, gone);
  const asked = measures && requestOf({ ...state, variants: left }, measures);
  const answer = useQuery({ ...compareQuery(asked ?? NOBODY), enabled: asked !== undefined });
  const makeBaseline = useCallback(
    (name: string) => setState({ variants: withBaseline(state.variants, name) }, { history: 'push' }),
    [state.variants, setState],
  );
  const isCounts = asked !== undefined && answer.data?.unit === 'none';
  const shelves = useQuery({ ...shelvesQuery(asked ?? NOBODY), enabled: isCounts });
  const found = isCounts ? shelves.data : undefined;
  const tracedAsked = asked && answer.data?.unit === 'ns' ? tracedRequest(asked, measures ?? []) : undefined;
  const traced = useQuery({ ...compareQuery(tracedAsked ?? NOBODY), enabled: tracedAsked !== undefined });
  // If the head were shown before it is complete, everything below it would jump.
  const isWaiting = (answer.data === undefined && !answer.isError) || (isCounts && shelves.isPending);
  const shown = isWaiting ? undefined : answer.data;
  const exact = useExact(asked ?? NOBODY, answer.data);
  if (offered.isError) return <FailedPage query={offered} />;
  if (offered.data === undefined || measures === undefined) return <Loading what="the traces" />;
  // While others are read, those before stay in their place; none of them may have the name of one of the new.
  const isLeft = ({ name }: { readonly name: string }) => left.some((one) => one.name === name);
  const selected = offered.isPlaceholderData ? offered.data.variants : offered.data.variants.filter(isLeft);
  const deleted = <DeletedNote before={state.variants} left={left} gone={gone.size} setState={setState} />;
  if (left.length === 0) return deleted;
  const variants = <VariantsPanel variants={selected} known={left} state={state} setState={setState} />;
  if (asked === undefined) {
    return (
      <>
        {deleted}
        <ProblemNote isPage problem={NO_SAMPLES}>
          <ViewLink to={paths.traces()}>All traces</ViewLink>
        </ProblemNote>
        {variants}
      </>
    );
  }
  const splits = measures.find(({ kind, key }) => kind === asked.kind && key === asked.key)?.splits ?? [];
  return (
    <ClockContext value={clockOf(answer.data?.unit)}>
      <ExperimentBar state={state} asked={asked} answer={answer.data} {...(saved && { saved })} />
      {deleted}
      <CompareHead keptTo={filterText(asked, state.priority !== undefined)} answer={shown} shelves={found} />
      <div className={styles.rest} data-waiting={isWaiting}>
        <MeasureBar verb="compare" measures={measures} asked={asked} setState={setState}>
          {splits.includes('task') || isOfTasks(asked) ? (
            <TaskFilter tasks={offered.data.tasks} state={asked} setState={setState} />
          ) : null}
        </MeasureBar>
        <FailedQuery query={answer} />
        <Card answer={exact.answer} onBaseline={makeBaseline} />
        <ExactNote exact={exact} />
        <div className={styles.beside}>
          <Spreads asked={asked} state={state} setState={setState} shelves={found} />
          {isCounts ? <Shelves query={shelves} /> : null}
        </div>
        {asked.kind === 'measured' ? <MeasuredAndTraced variants={selected} /> : null}
        {answer.data ? (
          <div className={styles.beside}>
            <CauseTable answer={answer.data} />
            <CaseGroups answer={answer.data} variants={selected} measures={measures} asked={asked} />
          </div>
        ) : null}
        <Strata
          answer={answer.data}
          traced={(tracedAsked && traced.data) ?? null}
          splits={splits}
          variants={selected}
          state={state}
          setState={setState}
        />
        {variants}
      </div>
    </ClockContext>
  );
}

/** Values of all fields together are of no unit. */
const isWhole = ({ kind, key }: OfferedMeasure) => kind !== 'field' || key !== null;

const isOfTasks = ({ comm, priority }: CompareRequest) => comm !== '' || priority.length > 0;

const NOBODY: CompareRequest = {
  variants: [],
  kind: '',
  key: null,
  cpu: undefined,
  comm: '',
  priority: [],
  strata: [],
};

function requestOf(state: CompareState, measures: readonly OfferedMeasure[]): CompareRequest | undefined {
  const [first] = measures;
  if (first === undefined) return undefined;
  const { kind, key } = state.kind === '' ? first : { kind: state.kind, key: state.key || null };
  const measure = measures.find((one) => one.kind === kind && one.key === key);
  const priority = keptClasses(state, measure);
  const strata = state.rows === '' ? [] : [state.rows, state.columns].filter((by) => by !== '');
  const { variants, cpu, comm } = state;
  return { variants, kind, key, cpu, comm, priority, strata };
}

const NO_SAMPLES = {
  status: 0,
  code: 'nothing_to_compare',
  title: 'Nothing to compare yet',
  detail:
    'None of these traces has latencies, or none is loaded yet. The page of a trace says what to record.',
};
