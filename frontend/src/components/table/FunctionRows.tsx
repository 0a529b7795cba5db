import { useMemo } from 'react';
import { FUNCTION_SORTS } from '../../viewState/trace';
import { functionColumns, type FunctionRow } from './functionColumns';
import { Table } from './Table';

type FunctionSort = (typeof FUNCTION_SORTS)[number];

interface FunctionRowsProps {
  readonly traceId: string;
  readonly rows: readonly FunctionRow[];
  readonly sort: FunctionSort;
  readonly onSort: (sort: FunctionSort) => void;
  /** Rows to show while the first are not there yet. */
  readonly skeleton: number;
}

/** Functions with their statistics, each with a bar for its share of the largest of them. */
export function FunctionRows({ traceId, rows, sort, onSort, skeleton }: FunctionRowsProps) {
  const largest = rows.reduce((most, row) => Math.max(most, row.total_ns), 0);
  const columns = useMemo(() => functionColumns(traceId, largest), [traceId, largest]);
  return (
    <Table
      label="Functions"
      columns={columns}
      rows={rows}
      keyOf={(row) => `${row.module ?? ''}:${row.symbol}`}
      sort={sort}
      onSort={(wanted) => {
        const known = FUNCTION_SORTS.find((candidate) => candidate === wanted);
        if (known) onSort(known);
      }}
      skeleton={skeleton}
    />
  );
}
