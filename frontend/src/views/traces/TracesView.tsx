import { useCatalog } from '../../api/traces';
import { problemOf } from '../../api/problem';
import { Loading } from '../../components/Loading';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { SearchField } from '../../components/search/SearchField';
import { ViewLink } from '../../components/ViewLink';
import { visibleText } from '../../lib/visibleText';
import { paths } from '../../viewState/paths';
import { tracesState } from '../../viewState/traces';
import { useViewState } from '../../viewState/useViewState';

/** The catalog of uploaded traces. */
export default function TracesView() {
  const [state, setState] = useViewState(tracesState);
  const catalog = useCatalog(state);
  if (catalog.isError) return <ProblemNote problem={problemOf(catalog.error)} />;
  if (!catalog.data) return <Loading what="traces" />;
  return (
    <>
      <SearchField label="Search traces" value={state.q} onChange={(q) => setState({ q })} />
      <ul>
        {catalog.data.pages
          .flatMap((page) => page.items)
          .map((trace) => (
            <li key={trace.id}>
              <ViewLink to={paths.trace(trace.id)}>{visibleText(trace.name)}</ViewLink>
            </li>
          ))}
      </ul>
    </>
  );
}
