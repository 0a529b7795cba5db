import { ChartTable, type ChartColumn } from '../../../components/table/ChartTable';
import { exactIn, ns } from '../../../lib/ns';
import { pointRows, type PointRow } from './pointRows';
import type { SeriesPlot } from '../../../components/series/series';

interface SeriesTableProps {
  readonly name: string;
  readonly plot: SeriesPlot;
  readonly onClose: () => void;
}

/** The points in sight, longest first. */
export function SeriesTable({ name, plot, onClose }: SeriesTableProps) {
  return (
    <ChartTable
      title="Latencies in sight"
      name={name}
      columns={COLUMNS}
      rows={pointRows(plot)}
      onClose={onClose}
    />
  );
}

const COLUMNS: readonly ChartColumn<PointRow>[] = [
  { title: 'length, ns', isNumber: true, cell: (row) => row.duration_ns },
  { title: 'CPU', isNumber: true, cell: (row) => row.cpu },
  { title: 'start, s', isNumber: true, cell: (row) => exactIn(ns(row.t), 's') },
  { title: 'longest of', isNumber: true, cell: (row) => row.count },
  { title: 'case', isCode: true, cell: (row) => row.id },
];
