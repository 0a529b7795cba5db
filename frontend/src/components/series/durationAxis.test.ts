import { expect, test } from 'vitest';
import { measureOf } from '../../lib/measure';
import { axisOfEnds, durationAt, durationAxis, niceStep, place, type Scale } from './durationAxis';

const plain = (text: string) => text.replaceAll('\u202f', ' ');

function check(low: number, high: number, scale: Scale, most: number, labels: readonly string[]) {
  const axis = durationAxis(low, high, scale, most, measureOf('ns'));
  expect(axis.ticks.map(({ label }) => plain(label))).toEqual(labels);
  expect(axis.min).toBeLessThanOrEqual(place(low, scale));
  expect(axis.max).toBeGreaterThan(place(high, scale));
}

test.each<[number, number, Scale, number, readonly string[]]>([
  [1_000, 6_352_118, 'log', 5, ['1 µs', '10 µs', '100 µs', '1 ms', '10 ms']],
  [2_000, 90_000, 'log', 8, ['2 µs', '5 µs', '10 µs', '20 µs', '50 µs', '100 µs']],
  [1, 1_000_000_000, 'log', 4, ['1 ns', '1 µs', '1 ms', '1 s']],
  [5_000, 5_000, 'log', 4, ['3 µs', '5 µs', '7 µs']],
  [24_000, 78_000, 'log', 6, ['30 µs', '40 µs', '50 µs', '60 µs', '70 µs', '80 µs']],
  [24_000, 78_000, 'log', 2, ['50 µs']],
  [0, 18_551, 'linear', 4, ['0', '10 µs', '20 µs']],
])('from %i to %i on a %s axis', check);

test.each([0, 1, 7, 999, 18_551, 6_352_118])('%i ns comes back from its place', (duration) => {
  expect(durationAt(place(duration, 'linear'), 'linear')).toBe(duration);
  expect(durationAt(place(duration, 'log'), 'log')).toBe(Math.max(1, duration));
});

test('an axis of bare numbers goes below zero where they do', () => {
  const axis = durationAxis(-60, 100, 'linear', 6, measureOf('none'));
  expect(axis.ticks.map(({ label }) => label)).toEqual(['−50', '0', '50', '100']);
  expect(axis.min).toBeLessThan(-60);
});

test.each<Scale>(['log', 'linear'])('counts of work that differ little fill a %s axis', (scale) => {
  const axis = durationAxis(85, 110, scale, 6, measureOf('none'));
  expect(axis.ticks.map(({ label }) => label)).toEqual(['85', '90', '95', '100', '105', '110']);
  const filled = (place(110, scale) - place(85, scale)) / (axis.max - axis.min);
  expect(filled).toBeGreaterThan(0.8);
});

test.each<Scale>(['log', 'linear'])('equal counts of work have a %s axis with room around them', (scale) => {
  const axis = durationAxis(100, 100, scale, 6, measureOf('none'));
  expect(axis.min).toBeLessThan(place(100, scale));
  expect(axis.max).toBeGreaterThan(place(100, scale));
});

test('steps are round and ticks say no more than they must', () => {
  expect([niceStep(0.2), niceStep(11), niceStep(2_100), niceStep(60_000)]).toEqual([1, 20, 5_000, 100_000]);
  expect(plain(measureOf('ns').tick(1_500))).toBe('1.5 µs');
});

test.each<[number, number, Scale, readonly string[]]>([
  [1_000, 364_000, 'log', ['500 ns', '1 ms']],
  [24_000, 78_000, 'log', ['20 µs', '100 µs']],
  [1, 1, 'log', ['1 ns', '2 ns']],
  [0, 18_551, 'linear', ['0', '25 µs']],
])(
  'an axis from %i to %i on a %s scale with room for two marks has them at its ends',
  (low, high, scale, labels) => {
    const axis = axisOfEnds(durationAxis(low, high, scale, 2, measureOf('ns')), measureOf('ns'));
    expect(axis.ticks.map(({ label }) => plain(label))).toEqual(labels);
    expect(axis.ticks.map(({ at }) => at)).toEqual([axis.min, axis.max]);
    expect(axis.min).toBeLessThanOrEqual(place(low, scale));
    expect(axis.max).toBeGreaterThanOrEqual(place(high, scale));
  },
);
