import type { LatencyGroup } from '../../../api/latencyTypes';
import { ChartTable, type ChartColumn } from '../../../components/table/ChartTable';
import { visibleText } from '../../../lib/visibleText';
import type { DistributionForm } from '../../../viewState/trace';
import { barRows, sampleRows, type BarRow, type SampleRow } from './distributionRows';

interface DistributionTableProps {
  readonly name: string;
  readonly groups: readonly LatencyGroup[];
  readonly form: DistributionForm;
  readonly onClose: () => void;
}

/** The numbers that the distribution is drawn from. */
export function DistributionTable({ name, groups, form, onClose }: DistributionTableProps) {
  const common = { name, onClose };
  return form === 'histogram' ? (
    <ChartTable {...common} title="Bars" columns={BARS} rows={barRows(groups)} />
  ) : (
    <ChartTable {...common} title="Sorted samples" columns={SAMPLES} rows={sampleRows(groups)} />
  );
}

const BARS: readonly ChartColumn<BarRow>[] = [
  { title: 'group', cell: (row) => visibleText(row.group) },
  { title: 'from, ns', isNumber: true, cell: (row) => row.low_ns },
  { title: 'below, ns', isNumber: true, cell: (row) => row.high_ns },
  { title: 'samples', isNumber: true, cell: (row) => row.count },
];

const SAMPLES: readonly ChartColumn<SampleRow>[] = [
  { title: 'group', cell: (row) => visibleText(row.group) },
  { title: 'rank', isNumber: true, cell: (row) => row.rank },
  { title: 'length, ns', isNumber: true, cell: (row) => row.duration_ns },
];
