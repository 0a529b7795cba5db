import { HowToCompare } from '../../components/experiment/HowToCompare';
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

function NothingSelected() {
  return (
    <HowToCompare isPage title="No traces selected">
      <ViewLink to={paths.experiments()}>Saved experiments</ViewLink>
    </HowToCompare>
  );
}
