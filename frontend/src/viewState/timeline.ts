import { choiceField, choiceSetField, nsField, numberSetField, rangeField, textField } from './fields';
import { eventIdField, sliceIdField } from './itemIds';
import { viewSpec } from './viewSpec';

export const LANE_KINDS = [
  'sched',
  'irq',
  'softirq',
  'irqsoff',
  'preemptoff',
  'noise',
  'idle',
  'counter',
] as const;

export type LaneKind = (typeof LANE_KINDS)[number];

/** The timeline: what is in sight, which lanes are shown, and what is selected and marked in it. */
export const timelineState = viewSpec({
  window: rangeField(),
  /** The CPUs whose lanes are shown; none named means all. */
  cpu: numberSetField(0, 8191),
  hide: choiceSetField(LANE_KINDS),
  slice: sliceIdField(LANE_KINDS),
  event: eventIdField(),
  area: rangeField(),
  a: nsField(),
  b: nsField(),
  q: textField(),
  events: choiceField<'shown' | 'hidden'>(['shown', 'hidden']),
});

export type TimelineState = ReturnType<typeof timelineState.read>['state'];
