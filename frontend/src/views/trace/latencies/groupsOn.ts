import type { LatencyGroup } from '../../../api/latencyTypes';
import type { Clock } from '../../../lib/clock';
import { measureOf } from '../../../lib/measure';

const { tick } = measureOf('ticks');
/** As the core has them in `latency/groups.rs`: from one to the next is a decade. */
const [FIRST_END, LAST_START] = [10_000, 1_000_000_000];

/** The groups as they are named on this clock: how long tasks slept is no time where a clock counts steps. */
export function groupsOn(
  { isCounting }: Pick<Clock, 'isCounting'>,
  groups: readonly LatencyGroup[],
): readonly LatencyGroup[] {
  if (!isCounting) return groups;
  return groups.map((one) => {
    const { group } = one;
    if (group?.name !== 'sleep' || typeof group.value !== 'number') return one;
    return { ...one, group: { ...group, label: `slept ${stepsText(group.value)}` } };
  });
}

function stepsText(start: number): string {
  if (start === 0) return `less than ${tick(FIRST_END)} ticks`;
  if (start >= LAST_START) return `${tick(start)} ticks or more`;
  return `${tick(start)} to ${tick(start * 10)} ticks`;
}
