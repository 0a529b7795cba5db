import { useQuery } from '@tanstack/react-query';
import { diffQuery } from '../../api/diff';
import { Button } from '../../components/button/Button';
import { Loading } from '../../components/Loading';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { ViewLink } from '../../components/ViewLink';
import { problemOf } from '../../lib/problem';
import { paths } from '../../viewState/paths';
import { diffState, MOST_DIFF_ROWS, printNormal, printRef } from '../../viewState/diff';
import { useViewState } from '../../viewState/useViewState';
import { DiffPage } from './DiffPage';

const SOME_ROWS = 2000;

/** The page of a comparison: one call or case against a normal one. */
export default function DiffView() {
  const [state, setState] = useViewState(diffState);
  const { abnormal, normal, floor, rows } = state;
  const asked = {
    abnormal: abnormal ? printRef(abnormal) : '',
    normal: printNormal(normal),
    noise_floor: floor ?? 0,
    limit: rows === 'all' ? MOST_DIFF_ROWS : SOME_ROWS,
  };
  const diff = useQuery({ ...diffQuery(asked), enabled: abnormal !== undefined });
  if (abnormal === undefined) return <NothingNamed />;
  if (diff.isError) {
    return (
      <ProblemNote isPage problem={problemOf(diff.error)}>
        <Button onClick={() => void diff.refetch()}>Ask again</Button>
        <ViewLink to={paths.trace(abnormal.trace)}>The trace</ViewLink>
      </ProblemNote>
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

const NOTHING = {
  status: 0,
  code: 'nothing_to_compare',
  title: 'Nothing to compare',
  detail:
    'This link names no call. Choose one among the calls of a trace, and press N there to compare it with a normal one.',
};

function NothingNamed() {
  return (
    <ProblemNote isPage problem={NOTHING}>
      <ViewLink to={paths.traces()}>All traces</ViewLink>
    </ProblemNote>
  );
}
