import { useMemo, useRef, useState } from 'react';
import { deleteTrace } from '../../api/traces';
import type { Trace } from '../../api/types';
import { DeleteTraceDialog } from '../../components/dialog/DeleteTraceDialog';
import { useKeys } from '../../components/keys/keys';
import { focusRow } from '../../components/table/focusRow';
import { Table } from '../../components/table/Table';
import { TRACES_SORTS, type TracesSort } from '../../viewState/traces';
import { catalogColumns, selectColumn } from './catalogColumns';
import { isChosen, NOTHING, pageToggled, stretched, toggled, type Selection } from './selection';

interface CatalogProps {
  readonly rows: readonly Trace[];
  readonly isLoading: boolean;
  readonly sort: TracesSort;
  readonly onSort: (sort: TracesSort) => void;
  readonly onLabel: (label: string) => void;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
}

/** The traces that are there, one row each. */
export function Catalog({ rows, isLoading, sort, onSort, onLabel, selection, onSelect }: CatalogProps) {
  const box = useRef<HTMLDivElement>(null);
  const [deleting, setDeleting] = useState<Trace | undefined>();
  const columns = useMemo(() => catalogColumns(onLabel, setDeleting), [onLabel]);
  const ids = rows.map(({ id }) => id);
  const chosenRows = ids.filter((id) => isChosen(selection, id));
  const toggle = (id: string, isStretch: boolean) =>
    onSelect(isStretch ? stretched(selection, ids, id) : toggled(selection, id));
  const boxes = selectColumn({
    isChosen: (id) => isChosen(selection, id),
    toggle,
    areAllChosen: ids.length > 0 && chosenRows.length === ids.length,
    isAnyChosen: chosenRows.length > 0,
    togglePage: () => onSelect(pageToggled(selection, ids)),
  });
  const toggleFocused = (isStretch: boolean) => {
    const id = document.activeElement?.closest<HTMLElement>('tr')?.dataset['row'];
    if (id !== undefined) toggle(id, isStretch);
  };
  useKeys('Traces', [
    { keys: ['j'], does: 'Next trace', run: () => focusRow(box.current, 1) },
    { keys: ['k'], does: 'Previous trace', run: () => focusRow(box.current, -1) },
    { keys: ['Enter'], does: 'Open the trace' },
  ]);
  useKeys('Selection', [
    { keys: ['x'], does: 'Select the row in focus', run: () => toggleFocused(false) },
    { keys: ['X'], does: 'Select all rows up to the one in focus', run: () => toggleFocused(true) },
    { keys: ['Escape'], does: 'Select nothing', run: () => onSelect(NOTHING) },
  ]);
  return (
    <div ref={box}>
      <Table
        label="Traces"
        columns={[boxes, ...columns]}
        rows={rows}
        keyOf={(trace) => trace.id}
        isChosen={(trace) => isChosen(selection, trace.id)}
        sort={sort}
        onSort={(wanted) => {
          const known = TRACES_SORTS.find((candidate) => candidate === wanted);
          if (known) onSort(known);
        }}
        skeleton={isLoading ? 6 : 0}
      />
      {deleting ? (
        <DeleteTraceDialog
          trace={deleting}
          remove={() => deleteTrace(deleting.id)}
          onClose={() => setDeleting(undefined)}
        />
      ) : null}
    </div>
  );
}
