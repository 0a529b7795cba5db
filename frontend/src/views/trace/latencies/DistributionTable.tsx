import type { LatencyGroup } from '../../../api/latencyTypes';
import { ChartTable, type ChartColumn } from '../../../components/table/ChartTable';
import type { Measure } from '../../../lib/measure';
import { visibleText } from '../../../lib/visibleText';
import type { DistributionForm } from '../../../viewState/trace';
import { barRows, sampleRows, type BarRow, type SampleRow } from './distributionRows';

interface DistributionTableProps {
  readonly name: string;
  readonly groups: readonly LatencyGroup[];
  readonly form: DistributionForm;
  readonly measure: Measure;
  readonly onClose: () => void;
}

/** The numbers that the distribution is drawn from. */
export function DistributionTable({ name, groups, form, measure, onClose }: DistributionTableProps) {
  const common = { name, onClose };
  return form === 'histogram' ? (
    <ChartTable {...common} title="Bars" columns={barColumns(measure)} rows={barRows(groups)} />
  ) : (
    <ChartTable
      {...common}
      title="Sorted samples"
      columns={sampleColumns(measure)}
      rows={sampleRows(groups)}
    />
  );
}

const barColumns = ({ title }: Measure): readonly ChartColumn<BarRow>[] => [
  { title: 'group', cell: (row) => visibleText(row.group) },
  { title: title('from'), isNumber: true, cell: (row) => row.low_ns },
  { title: title('below'), isNumber: true, cell: (row) => row.high_ns },
  { title: 'samples', isNumber: true, cell: (row) => row.count },
];

const sampleColumns = ({ name, title }: Measure): readonly ChartColumn<SampleRow>[] => [
  { title: 'group', cell: (row) => visibleText(row.group) },
  { title: 'rank', isNumber: true, cell: (row) => row.rank },
  { title: title(name), isNumber: true, cell: (row) => row.duration_ns },
];
