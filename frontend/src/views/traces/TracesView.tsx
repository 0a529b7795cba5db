import { useCatalog } from '../../api/traces';
import { Button } from '../../components/button/Button';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { SearchField } from '../../components/search/SearchField';
import { useStill } from '../../components/still/useStill';
import { labelText } from '../../lib/label';
import { visibleText } from '../../lib/visibleText';
import { tracesState, type TracesState } from '../../viewState/traces';
import { useViewState, type SetViewState } from '../../viewState/useViewState';
import { Catalog } from './Catalog';
import { EmptyCatalog, NothingFound } from './EmptyCatalog';
import { SelectionBar } from './SelectionBar';
import { StartHere } from './StartHere';
import styles from './TracesView.module.css';
import { UploadList } from './UploadList';
import { useSelection } from './useSelection';
import type { ReactNode } from 'react';
import { useDropzone } from 'react-dropzone';
import { uploadQueue } from '../../api/uploadQueue';
import { useKeys } from '../../components/keys/keys';

/** The first page: drop traces, see how far they are, find and open the ones that are there. */
export default function TracesView() {
  const [state, setState] = useViewState(tracesState);
  const catalog = useCatalog(state);
  const [found, still] = useStill({ state, catalog });
  return (
    <DropZone>
      <h1 className="unseen">Traces</h1>
      <SearchField label="Search traces" value={state.q} onChange={(q) => setState({ q })} />
      <UploadList />
      <div {...still}>
        <Found {...found} setState={setState} />
      </div>
    </DropZone>
  );
}

interface FoundProps {
  readonly state: TracesState;
  readonly catalog: ReturnType<typeof useCatalog>;
  readonly setState: SetViewState<TracesState>;
}

/** Everything under the search field, of one answer. */
function Found({ state, catalog, setState }: FoundProps) {
  const [selection, setSelection] = useSelection(`${state.q}\n${state.label}`);
  const rows = catalog.data?.pages.flatMap((page) => page.items) ?? [];
  const isFiltered = state.q !== '' || state.label !== '';
  const showAll = () => setState({ q: '', label: '' }, { history: 'push' });
  return (
    <>
      {state.label === '' ? null : (
        <p className={styles.filter}>
          Only traces labelled <code>{visibleText(labelText(state.label))}</code>
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
      <Below isFiltered={isFiltered}>
        {catalog.isPending || rows.length > 0 ? (
          <>
            <SelectionBar filter={state} rows={rows} selection={selection} onSelect={setSelection} />
            <Catalog
              rows={rows}
              isLoading={catalog.isPending}
              sort={state.sort}
              onSort={(sort) => setState({ sort }, { history: 'push' })}
              onLabel={(label) => setState({ label }, { history: 'push' })}
              selection={selection}
              onSelect={setSelection}
            />
          </>
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
      </Below>
    </>
  );
}

interface BelowProps {
  readonly isFiltered: boolean;
  readonly children: ReactNode;
}

/** The list, under what is for newcomers; who searches is none. */
function Below({ isFiltered, children }: BelowProps) {
  return isFiltered ? children : <StartHere>{children}</StartHere>;
}

/** The page as one large place to drop traces on, and a line at its head that says so. */
function DropZone({ children }: { readonly children: ReactNode }) {
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    onDrop: (files) => uploadQueue.add(files),
    noClick: true,
    noKeyboard: true,
    // The classic file dialog: it works on every origin, and its files stream from disk all the same.
    useFsAccessApi: false,
  });
  useKeys('Traces', [{ keys: ['u', 'U'], does: 'Upload traces', run: open }]);
  return (
    <div {...getRootProps({ className: styles.zone, role: 'presentation' })} data-dragging={isDragActive}>
      <input {...getInputProps({ 'aria-label': 'Traces to upload' })} />
      <div className={styles.invitation}>
        <Button onClick={open}>Upload traces</Button>
        <span className={styles.hint}>
          <span className={styles.drop}>or drop them anywhere here: </span>
          <code>trace.dat</code>, or text from <code>trace</code> or <code>trace-cmd report</code>, plain or
          as <code>.gz</code>, <code>.xz</code> or <code>.zst</code>
        </span>
      </div>
      {children}
    </div>
  );
}
