import { useQuery } from '@tanstack/react-query';
import { compareQuery, measuresQuery, type CompareRequest, type OfferedMeasure } from '../../api/compare';
import { Loading } from '../../components/Loading';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { ViewLink } from '../../components/ViewLink';
import { compareState, type CompareState } from '../../viewState/compare';
import { paths } from '../../viewState/paths';
import { useViewState } from '../../viewState/useViewState';
import { Card } from './Card';
import { CauseTable } from './CauseTable';
import { CompareHead } from './CompareHead';
import { MeasureBar } from './MeasureBar';
import { Spreads } from './Spreads';
import { Strata } from './Strata';
import { VariantsPanel } from './VariantsPanel';

/** Groups of traces compared by one measure: what differs, how sure that is, and what else differs. */
export default function CompareView() {
  const [state, setState] = useViewState(compareState);
  const isEmpty = state.variants.length === 0;
  const offered = useQuery({ ...measuresQuery(state.variants), enabled: !isEmpty });
  const measures = offered.data?.measures.filter(isWhole);
  const asked = measures && requestOf(state, measures);
  const answer = useQuery({ ...compareQuery(asked ?? NOBODY), enabled: asked !== undefined });
  if (isEmpty) return <NothingSelected />;
  if (offered.isError) return <FailedQuery query={offered} isPage />;
  if (offered.data === undefined || measures === undefined) return <Loading what="the traces" />;
  const variants = <VariantsPanel variants={offered.data.variants} setState={setState} />;
  if (asked === undefined) {
    return (
      <>
        <ProblemNote isPage problem={NO_SAMPLES}>
          <ViewLink to={paths.traces()}>All traces</ViewLink>
        </ProblemNote>
        {variants}
      </>
    );
  }
  return (
    <>
      <CompareHead answer={answer.data} />
      <MeasureBar measures={measures} asked={asked} setState={setState} />
      <FailedQuery query={answer} />
      <Card answer={answer.data} />
      <Spreads asked={asked} state={state} setState={setState} />
      {answer.data ? <CauseTable answer={answer.data} /> : null}
      <Strata answer={answer.data} variants={offered.data.variants} state={state} setState={setState} />
      {variants}
    </>
  );
}

/** Values of all fields together are of no unit. */
const isWhole = ({ kind, key }: OfferedMeasure) => kind !== 'field' || key !== null;

const NOBODY: CompareRequest = { variants: [], kind: '', key: null, cpu: undefined, comm: '', strata: [] };

function requestOf(state: CompareState, measures: readonly OfferedMeasure[]): CompareRequest | undefined {
  const [first] = measures;
  if (first === undefined) return undefined;
  const { kind, key } = state.kind === '' ? first : { kind: state.kind, key: state.key || null };
  const strata = state.rows === '' ? [] : [state.rows, state.columns].filter((by) => by !== '');
  return { variants: state.variants, kind, key, cpu: state.cpu, comm: state.comm, strata };
}

const NO_SAMPLES = {
  status: 0,
  code: 'nothing_to_compare',
  title: 'Nothing to compare yet',
  detail:
    'None of these traces has latencies that could be compared, or none is loaded yet. The page of a trace says what would have to be recorded.',
};

const NOTHING = {
  status: 0,
  code: 'nothing_selected',
  title: 'No traces selected',
  detail: 'Select traces on the first page with the boxes at their left, or with x, and press Compare.',
};

function NothingSelected() {
  return (
    <ProblemNote isPage problem={NOTHING}>
      <ViewLink to={paths.traces()}>All traces</ViewLink>
    </ProblemNote>
  );
}
