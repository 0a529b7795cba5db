import { useCatalog } from '../../api/traces';
import { Button } from '../../components/button/Button';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { SearchField } from '../../components/search/SearchField';
import { tracesState } from '../../viewState/traces';
import { useViewState } from '../../viewState/useViewState';
import { Catalog } from './Catalog';
import { DropZone } from './DropZone';
import { EmptyCatalog, NothingFound } from './EmptyCatalog';
import styles from './TracesView.module.css';
import { UploadList } from './UploadList';

/** The first page: drop traces, see how far they are, find and open the ones that are there. */
export default function TracesView() {
  const [state, setState] = useViewState(tracesState);
  const catalog = useCatalog(state);
  const rows = catalog.data?.pages.flatMap((page) => page.items) ?? [];
  const isFiltered = state.q !== '' || state.label !== '';
  const showAll = () => setState({ q: '', label: '' }, { history: 'push' });
  return (
    <DropZone>
      <h1 className="unseen">Traces</h1>
      <SearchField label="Search traces" value={state.q} onChange={(q) => setState({ q })} />
      <UploadList />
      {state.label === '' ? null : (
        <p className={styles.filter}>
          Only traces labelled <code>{state.label}</code>
          <Button look="bare" onClick={() => setState({ label: '' }, { history: 'push' })}>
            Show all
          </Button>
        </p>
      )}
      {catalog.isError ? (
        <FailedQuery query={catalog}>
          {isFiltered ? <Button onClick={showAll}>Show all traces</Button> : null}
        </FailedQuery>
      ) : null}
      {catalog.isPending || rows.length > 0 ? (
        <Catalog
          rows={rows}
          isLoading={catalog.isPending}
          sort={state.sort}
          onSort={(sort) => setState({ sort }, { history: 'push' })}
          onLabel={(label) => setState({ label }, { history: 'push' })}
        />
      ) : null}
      {catalog.isSuccess && rows.length === 0 ? (
        isFiltered ? (
          <NothingFound onShowAll={showAll} />
        ) : (
          <EmptyCatalog />
        )
      ) : null}
      {catalog.hasNextPage ? (
        <div className={styles.more}>
          <Button disabled={catalog.isFetchingNextPage} onClick={() => void catalog.fetchNextPage()}>
            Show more traces
          </Button>
        </div>
      ) : null}
    </DropZone>
  );
}
