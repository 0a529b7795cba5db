import { ChartTable, type ChartColumn } from '../../../components/table/ChartTable';
import type { Measure } from '../../../lib/measure';
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
      columns={columnsOf(plot.measure)}
      rows={pointRows(plot)}
      onClose={onClose}
    />
  );
}

const columnsOf = ({ name, title }: Measure): readonly ChartColumn<PointRow>[] => [
  { title: title(name), isNumber: true, cell: (row) => row.duration_ns },
  { title: 'CPU', isNumber: true, cell: (row) => row.cpu },
  { title: 'start, s', isNumber: true, cell: (row) => exactIn(ns(row.t), 's') },
  { title: 'longest of', isNumber: true, cell: (row) => row.count },
  { title: 'case', isCode: true, cell: (row) => row.id },
];
