import { useQuery } from '@tanstack/react-query';
import { diffQuery, normalsQuery } from '../../api/diff';
import { useTrace } from '../../api/traces';
import { Button } from '../../components/button/Button';
import { Loading } from '../../components/Loading';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { ViewLink } from '../../components/ViewLink';
import { deletable, isMissing, problemOf, type Problem } from '../../lib/problem';
import { paths } from '../../viewState/paths';
import {
  diffState,
  MOST_DIFF_ROWS,
  printNormal,
  printRef,
  type DiffRef,
  type DiffState,
  type NormalChoice,
} from '../../viewState/diff';
import { useViewState } from '../../viewState/useViewState';
import { DiffPage } from './DiffPage';
import { NoNormal } from './NoNormal';

const SOME_ROWS = 2000;

/** The page of a comparison of a call or case with a normal one. */
export default function DiffView() {
  const [state, setState] = useViewState(diffState);
  const onNormal = (choice: NormalChoice) => setState({ normal: choice }, { history: 'push' });
  const { abnormal, normal, floor, rows } = state;
  const asked = {
    abnormal: abnormal ? printRef(abnormal) : '',
    normal: printNormal(normal),
    noise_floor: floor,
    limit: rows === 'all' ? MOST_DIFF_ROWS : SOME_ROWS,
  };
  const normals = useNormals(state);
  const diff = useQuery({ ...diffQuery(asked), enabled: normals.isSettled && !normals.areNone });
  if (abnormal === undefined) return <NothingNamed />;
  if (normals.found && (normals.areNone || isMissing(diff.error))) {
    return <NoNormal abnormal={abnormal} normals={normals.found} state={state} onPick={onNormal} />;
  }
  if (diff.isError) {
    return (
      <Failed
        error={diff.error}
        abnormal={abnormal}
        state={state}
        onRetry={() => void diff.refetch()}
        onNormal={onNormal}
      />
    );
  }
  if (diff.data === undefined) return <Loading what="the comparison" />;
  return (
    <DiffPage
      answer={diff.data}
      asked={asked}
      state={state}
      setState={setState}
      isOld={diff.isPlaceholderData}
    />
  );
}

/** Where the median of its own trace is wanted: what is like it, there and elsewhere. There may be nothing. */
function useNormals({ abnormal, normal }: DiffState) {
  const isWanted = abnormal !== undefined && abnormal.others === undefined && normal === 'auto';
  const query = useQuery({ ...normalsQuery(abnormal ? printRef(abnormal) : ''), enabled: isWanted });
  const found = isWanted ? query.data : undefined;
  return {
    found,
    isSettled: abnormal !== undefined && !(isWanted && query.isPending),
    // The one itself is all that its trace has.
    areNone: found?.count === 1,
  };
}

interface FailedProps {
  readonly error: Error;
  readonly abnormal: DiffRef;
  readonly state: DiffState;
  readonly onRetry: () => void;
  readonly onNormal: (normal: NormalChoice) => void;
}

/** What does not go together is no mistake in a parameter, whose name nobody wrote. */
const plainer = (problem: Problem): Problem =>
  problem.code === 'not_comparable'
    ? {
        ...problem,
        title: 'These two cannot be compared',
        ...(problem.detail !== undefined && { detail: problem.detail.replace(/^(?:ab)?normal: /, '') }),
      }
    : problem;

/** Why there is no comparison, and what else to compare with. */
function Failed({ error, abnormal, state, onRetry, onNormal }: FailedProps) {
  const problem = plainer(problemOf(error));
  const trace = useTrace(abnormal.trace);
  const isGone = isMissing(trace.error);
  return (
    <ProblemNote isPage problem={isGone ? deletable(problem) : problem} onRetry={onRetry}>
      {state.normal !== 'auto' && !isGone && (
        <Button onClick={() => onNormal('auto')}>Compare with the median</Button>
      )}
      {isGone ? (
        <ViewLink to={paths.traces()}>All traces</ViewLink>
      ) : (
        <ViewLink to={paths.trace(abnormal.trace)}>Open the trace</ViewLink>
      )}
    </ProblemNote>
  );
}

const NOTHING = {
  status: 0,
  code: 'nothing_to_compare',
  title: 'Nothing to compare',
  detail:
    'This link names no call and no case. Open a case, or select a call on the Calls page of a trace, and press N to compare it with a normal one.',
};

function NothingNamed() {
  return (
    <ProblemNote isPage problem={NOTHING}>
      <ViewLink to={paths.traces()}>All traces</ViewLink>
    </ProblemNote>
  );
}
