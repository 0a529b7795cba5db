import { choiceField, nsField, numberSetField, rangeField, textField, wordSetField } from './fields';
import { eventIdField, sliceIdField } from './itemIds';
import { viewSpec } from './viewSpec';

/** The timeline: what is in sight, which lanes are shown, and what is selected and marked in it. */
export const timelineState = viewSpec({
  window: rangeField(),
  /** The CPUs whose lanes are shown; none named means all. */
  cpu: numberSetField(0, 8191),
  /** Kinds of lanes that are left out. */
  hide: wordSetField(),
  slice: sliceIdField(),
  event: eventIdField(),
  area: rangeField(),
  a: nsField(),
  b: nsField(),
  q: textField(),
  events: choiceField<'shown' | 'hidden'>(['shown', 'hidden']),
});

export type TimelineState = ReturnType<typeof timelineState.read>['state'];
