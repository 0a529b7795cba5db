import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useExperiment, type Experiment } from '../../api/experiments';
import { Loading } from '../../components/Loading';
import { FailedPage } from '../../components/problem/FailedQuery';
import { ViewLink } from '../../components/ViewLink';
import { compareState, type CompareState } from '../../viewState/compare';
import { paths } from '../../viewState/paths';
import { useViewState, type SetViewState } from '../../viewState/useViewState';
import { Compared } from './Compared';
import { stateOf } from './savedState';

/** A saved comparison under its permalink. What is changed on the page is in the address until it is saved. */
export default function SavedView() {
  const { experiment: slug = '' }: { readonly experiment?: string } = useParams({ strict: false });
  const experiment = useExperiment(slug);
  if (experiment.data) return <Saved key={slug} saved={experiment.data} />;
  if (!experiment.isError) return <Loading what="the experiment" />;
  return (
    <FailedPage query={experiment}>
      <ViewLink to={paths.experiments()}>Saved experiments</ViewLink>
    </FailedPage>
  );
}

function Saved({ saved }: { readonly saved: Experiment }) {
  const [changed, setChanged] = useViewState(compareState);
  const original = useMemo(() => stateOf(saved), [saved]);
  const isOriginal = changed.variants.length === 0;
  const setState: SetViewState<CompareState> = (patch, change) =>
    setChanged(isOriginal ? { ...original, ...patch } : patch, change);
  return <Compared state={isOriginal ? original : changed} setState={setState} saved={saved} />;
}
