import { useClock } from '../../../components/clock/useClock';
import { ChartTable, type ChartColumn } from '../../../components/table/ChartTable';
import type { Clock } from '../../../lib/clock';
import type { Measure } from '../../../lib/measure';
import { ns } from '../../../lib/ns';
import type { SeriesPlot } from '../../../components/series/series';

interface SeriesTableProps {
  readonly name: string;
  readonly plot: SeriesPlot;
  readonly onClose: () => void;
}

/** The points in sight, worst first. */
export function SeriesTable({ name, plot, onClose }: SeriesTableProps) {
  const clock = useClock();
  return (
    <ChartTable
      title="Visible latencies"
      name={name}
      columns={columnsOf(plot.measure, clock)}
      rows={pointRows(plot)}
      onClose={onClose}
    />
  );
}

const columnsOf = (
  { name, title }: Measure,
  { isCounting, column }: Clock,
): readonly ChartColumn<PointRow>[] => [
  { title: title(name), isNumber: true, cell: (row) => row.duration_ns },
  { title: 'CPU', isNumber: true, cell: (row) => row.cpu },
  {
    title: isCounting ? title('start') : 'start (s)',
    isNumber: true,
    cell: (row) => column(ns(row.t)),
  },
  { title: 'samples', isNumber: true, cell: (row) => row.count },
  { title: 'case', isCode: true, cell: (row) => row.id },
];

/** One point of the plot as a row of its table. */
interface PointRow {
  readonly id: string;
  readonly cpu: number;
  readonly t: number;
  readonly duration_ns: number;
  /** Samples that the point stands for. */
  readonly count: number;
}

/** The points inside the plot's window, worst first, earlier first among equals. */
export function pointRows({
  lanes,
  window,
  worstIs,
}: Pick<SeriesPlot, 'lanes' | 'window' | 'worstIs'>): readonly PointRow[] {
  const sign = worstIs === 'largest' ? 1 : -1;
  return lanes
    .flatMap(({ cpu, t, duration_ns, count, id }) =>
      t.map((at, index) => ({
        id: id[index] ?? '',
        cpu,
        t: at,
        duration_ns: duration_ns[index] ?? 0,
        count: count[index] ?? 1,
      })),
    )
    .filter(({ t }) => t >= window.start && t <= window.end)
    .toSorted((a, b) => sign * (b.duration_ns - a.duration_ns) || a.t - b.t);
}
