import { expect, test } from 'vitest';
import { CYCLIC } from '../../api/latencies.fixture';
import { placeAmong, rankText, samplesOf } from './useNeighbours';

const items = ['a', 'b', 'c'].map((id) => ({ ...CYCLIC, id }));

test.each([
  ['a', 1, undefined, 'b'],
  ['b', 2, 'a', 'c'],
  ['c', 3, 'b', undefined],
  ['elsewhere', undefined, 'c', undefined],
])('%s is number %s between %s and %s', (id, rank, previous, next) => {
  const place = placeAmong(items, id);
  expect([place.rank, place.previous?.id, place.next?.id]).toEqual([rank, previous, next]);
});

test.each([
  [1, 1, 'the only one'],
  [1, 1781, 'the worst of 1,781'],
  [5, 1781, '#5 of 1,781'],
  [2, undefined, '#2'],
])('number %s of %s is %s', (rank, count, text) => {
  expect(rankText(rank, count)).toBe(text);
});

test.each([
  ['wakeup-1213@2563695119000', 'wakeup', null, { kind: 'wakeup', field: '', unit: 'recorded' }],
  ['irq-cpu1@7', 'irq', 'eth0', { kind: 'irq', field: '', unit: 'recorded' }],
  [
    'field.hrtimer_cb.delta-cpu6@14372733948000',
    'field',
    'hrtimer_cb.delta',
    { kind: 'field', field: 'hrtimer_cb.delta', unit: 'recorded' },
  ],
  [
    'field.timer_start.timeout~ms-cpu6@14372733948000+1',
    'field',
    'timer_start.timeout',
    { kind: 'field', field: 'timer_start.timeout', unit: 'ms' },
  ],
] as const)('%s is one of its like', (id, kind, key, expected) => {
  expect(samplesOf({ id, kind, key })).toEqual(expected);
});
