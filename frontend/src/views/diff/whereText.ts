import type { Contribution, DiffAnswer } from '../../api/diff';
import { groupDigits } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import { distanceText, shareText } from './rowText';

/** Where a contribution is, how often, and what the other side has of it: `under f · in 1 of 1 · normally in 0 of 99`. */
export function whereText(item: Contribution, of: DiffAnswer['kind']): string {
  const { seen, distance_mad: distance } = item;
  return [
    item.is_interrupt && 'interrupt',
    item.hit.length > 0 && `hit ${visibleText(item.hit.join(', '))}`,
    item.repeat !== null && counterpartText(item),
    item.under !== null && `under ${visibleText(item.under)}`,
    item.count > 1 && `${groupDigits(item.count)} ${of}`,
    seen !== null && `in ${shareText(seen.abnormal)}`,
    seen !== null && `normally in ${shareText(seen.normal)}`,
    distance !== null && `${distanceText(distance)} MAD away`,
  ]
    .filter((part) => part !== false)
    .join(' · ');
}

/** Why it has no counterpart. A set is compared by its median instance, and others of the set may have it. */
function counterpartText({ repeat, delta_ns: delta, seen }: Contribution): string | false {
  const other = delta > 0 ? 'normal' : 'abnormal';
  if (repeat === 'more') return `more often than in the ${other} instance`;
  if (repeat === 'moved') return 'in another order';
  if (seen === null) return false;
  return seen[other].seen > 0 && `missing from the median ${other} instance`;
}
