import { ProblemNote } from '../../components/problem/ProblemNote';
import { ViewLink } from '../../components/ViewLink';
import { compareState } from '../../viewState/compare';
import { paths } from '../../viewState/paths';
import { useViewState } from '../../viewState/useViewState';
import { Compared } from './Compared';

/** A comparison that is all in its address. */
export default function CompareView() {
  const [state, setState] = useViewState(compareState);
  return state.variants.length === 0 ? <NothingSelected /> : <Compared state={state} setState={setState} />;
}

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
      <ViewLink to={paths.experiments()}>Saved experiments</ViewLink>
    </ProblemNote>
  );
}
