import type { Bar, Spread } from '../../lib/spread';
import { ChartTable, type ChartColumn } from '../table/ChartTable';
import type { Measure } from '../../lib/measure';
import { visibleText } from '../../lib/visibleText';
import type { DistributionForm } from '../../viewState/trace';

interface DistributionTableProps {
  readonly name: string;
  readonly groups: readonly Spread[];
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

/** One bar of the histogram of one group. */
interface BarRow extends Bar {
  readonly group: string;
}

/** One sample of one group; the shortest has rank 1. */
interface SampleRow {
  readonly group: string;
  readonly rank: number;
  readonly duration_ns: number;
}

const labelOf = ({ group }: Spread) => group?.label ?? 'all';

/** The bars that are not empty. */
export function barRows(groups: readonly Spread[]): readonly BarRow[] {
  return groups.flatMap((group) =>
    group.histogram.filter(({ count }) => count > 0).map((bin) => ({ ...bin, group: labelOf(group) })),
  );
}

/** The samples that were kept, longest first. */
export function sampleRows(groups: readonly Spread[]): readonly SampleRow[] {
  return groups.flatMap((group) =>
    group.shelves.rank
      .map((rank, index) => ({
        group: labelOf(group),
        rank: rank + 1,
        duration_ns: group.shelves.duration_ns[index] ?? 0,
      }))
      .toReversed(),
  );
}
