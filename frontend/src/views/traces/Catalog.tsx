import { useMemo, useState } from 'react';
import { deleteTrace } from '../../api/traces';
import type { Trace } from '../../api/types';
import { DeleteTraceDialog } from '../../components/dialog/DeleteTraceDialog';
import { Table } from '../../components/table/Table';
import { TRACES_SORTS, type TracesSort } from '../../viewState/traces';
import { catalogColumns } from './catalogColumns';

interface CatalogProps {
  readonly rows: readonly Trace[];
  readonly isLoading: boolean;
  readonly sort: TracesSort;
  readonly onSort: (sort: TracesSort) => void;
  readonly onLabel: (label: string) => void;
}

/** The traces that are there, one row each. */
export function Catalog({ rows, isLoading, sort, onSort, onLabel }: CatalogProps) {
  const [deleting, setDeleting] = useState<Trace | undefined>();
  const columns = useMemo(() => catalogColumns(onLabel, setDeleting), [onLabel]);
  return (
    <>
      <Table
        label="Traces"
        columns={columns}
        rows={rows}
        keyOf={(trace) => trace.id}
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
    </>
  );
}
