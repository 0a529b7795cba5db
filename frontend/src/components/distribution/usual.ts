import type { Measure } from '../../lib/measure';
import { ns, type Ns } from '../../lib/ns';
import type { Spread } from '../../lib/spread';
import type { DistributionForm } from '../../viewState/trace';
import { niceStep } from '../series/durationAxis';
import { labelOf, type Mark } from './distribution';

/** Bare numbers, such as counts of work, are characterised by the few values that they keep to; times by how often they are long. */
export const usualForm = ({ isTime }: Measure): DistributionForm => (isTime ? 'histogram' : 'shelves');

/** The number of bars that show the form of a distribution. */
export const USUAL_BARS = 40;

interface ValueRange {
  readonly min_ns: number;
  readonly max_ns: number;
}

/** Whether the values lie within one power of two, of which parts would be too few bars. */
export const isWithinOctave = ({ min_ns, max_ns }: ValueRange) => min_ns > 0 && max_ns < 2 * min_ns;

// A round width is up to 2.5 times as wide as asked for, which leaves 30 bars.
const MOST_CLOSE_BARS = 75;

/** The width of bars for values within one power of two: of all that they span. */
export function closeBucket({ min_ns, max_ns }: ValueRange): Ns {
  return ns(Math.max(1, Math.round(niceStep((max_ns - min_ns) / MOST_CLOSE_BARS))));
}

const LEAST_SHARE = 0.05;

/** The values that at least one in twenty samples of a group has, where they lie among its sorted samples. */
export function valueShelves(groups: readonly Spread[], { text }: Measure): readonly Mark[] {
  return groups.flatMap((group) => {
    const { rank, duration_ns } = group.shelves;
    const starts = rank.flatMap((_, at) => (at === 0 || duration_ns[at] !== duration_ns[at - 1] ? [at] : []));
    return starts.flatMap((at, index): readonly Mark[] => {
      const from = (rank[at] ?? 0) / group.count;
      const to = (rank[starts[index + 1] ?? rank.length] ?? group.count) / group.count;
      const value = duration_ns[at] ?? 0;
      return to - from < LEAST_SHARE ? [] : [{ group: labelOf(group), from, to, value, text: text(value) }];
    });
  });
}
