import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { diffQuery } from '../../api/diff';
import { Button } from '../../components/button/Button';
import { Loading } from '../../components/Loading';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { ViewLink } from '../../components/ViewLink';
import { problemOf } from '../../lib/problem';
import { paths } from '../../viewState/paths';
import {
  diffState,
  MOST_DIFF_ROWS,
  printNormal,
  printRef,
  type DiffRef,
  type NormalChoice,
} from '../../viewState/diff';
import { useViewState } from '../../viewState/useViewState';
import { DiffPage } from './DiffPage';
import { isCase } from './sideLink';

const PickNormal = lazy(() => import('./PickNormal'));

const SOME_ROWS = 2000;

/** The page of a comparison of a call or case with a normal one. */
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
      <Failed
        error={diff.error}
        abnormal={abnormal}
        normal={normal}
        onRetry={() => void diff.refetch()}
        onNormal={(choice) => setState({ normal: choice }, { history: 'push' })}
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

interface FailedProps {
  readonly error: Error;
  readonly abnormal: DiffRef;
  readonly normal: NormalChoice;
  readonly onRetry: () => void;
  readonly onNormal: (normal: NormalChoice) => void;
}

/** Why there is no comparison, and what else to compare with. */
function Failed({ error, abnormal, normal, onRetry, onNormal }: FailedProps) {
  const [isPicking, setPicking] = useState(false);
  return (
    <ProblemNote isPage problem={problemOf(error)}>
      <Button onClick={onRetry}>Retry</Button>
      {normal !== 'auto' && <Button onClick={() => onNormal('auto')}>Compare with the median</Button>}
      {/* Without the call, its function is unknown, so there are no other calls to offer. */}
      {isCase(abnormal) && <Button onClick={() => setPicking(true)}>Compare with…</Button>}
      <ViewLink to={paths.trace(abnormal.trace)}>The trace</ViewLink>
      {isPicking && (
        <Suspense>
          <PickNormal
            abnormal={abnormal}
            normal={undefined}
            symbol={undefined}
            onPick={(picked) => {
              setPicking(false);
              onNormal(picked);
            }}
            onClose={() => setPicking(false)}
          />
        </Suspense>
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
