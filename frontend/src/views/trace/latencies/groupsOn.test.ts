import { expect, test } from 'vitest';
import type { LatencyGroup } from '../../../api/latencyTypes';
import { clockOf } from '../../../lib/clock';
import { groupsOn } from './groupsOn';

const slept = (value: number | null) =>
  ({ group: { name: 'sleep', value, label: 'as answered', folded: null } }) as LatencyGroup; // only the name is asked for

const labels = (unit: string, values: readonly (number | null)[]) =>
  groupsOn(clockOf(unit), values.map(slept)).map(({ group }) => group?.label.replaceAll('\u202f', ' '));

test('how long tasks slept is told in steps of a clock that counts', () => {
  expect(labels('ticks', [0, 10_000, 100_000, 1_000_000_000, null])).toEqual([
    'slept less than 10 k ticks',
    'slept 10 k to 100 k ticks',
    'slept 100 k to 1 M ticks',
    'slept 1 G ticks or more',
    'as answered',
  ]);
});

test('a clock of time keeps the names of the answer', () => {
  expect(labels('ns', [0, 10_000])).toEqual(['as answered', 'as answered']);
});
