import type { HistogramBin, LatencyGroup } from '../../../api/latencyTypes';

/** One bar of the histogram of one group. */
export interface BarRow extends HistogramBin {
  readonly group: string;
}

/** One sample of one group; the shortest has rank 1. */
export interface SampleRow {
  readonly group: string;
  readonly rank: number;
  readonly duration_ns: number;
}

const labelOf = ({ group }: LatencyGroup) => group?.label ?? 'all';

/** The bars that are not empty. */
export function barRows(groups: readonly LatencyGroup[]): readonly BarRow[] {
  return groups.flatMap((group) =>
    group.histogram.filter(({ count }) => count > 0).map((bin) => ({ ...bin, group: labelOf(group) })),
  );
}

/** The samples that were kept, longest first. */
export function sampleRows(groups: readonly LatencyGroup[]): readonly SampleRow[] {
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
