import { ChartTable, type ChartColumn } from '../../components/table/ChartTable';
import { visibleText } from '../../lib/visibleText';
import type { DiffRow } from './diffTree';

interface DiffRowTableProps {
  readonly name: string;
  readonly rows: readonly DiffRow[];
  readonly onClose: () => void;
}

/** The whole tree as exact numbers, to look at or to save. */
export function DiffRowTable({ name, rows, onClose }: DiffRowTableProps) {
  return (
    <ChartTable title="Both sides, row by row" name={name} columns={COLUMNS} rows={rows} onClose={onClose} />
  );
}

const COLUMNS: readonly ChartColumn<DiffRow>[] = [
  { title: 'depth', isNumber: true, cell: (row) => row.depth },
  { title: 'name', isCode: true, cell: (row) => visibleText(row.name) },
  { title: 'in', cell: (row) => SIDES[row.status] },
  { title: 'abnormal, ns', isNumber: true, cell: (row) => row.sides.abnormal?.ns ?? '' },
  { title: 'normal, ns', isNumber: true, cell: (row) => row.sides.normal?.ns ?? '' },
  { title: 'delta, ns', isNumber: true, cell: (row) => row.deltaNs },
  { title: 'self delta, ns', isNumber: true, cell: (row) => row.selfDeltaNs },
];

const SIDES = {
  matched: 'both',
  added: 'abnormal only',
  removed: 'normal only',
  elided: 'elided on one side',
} as const;
