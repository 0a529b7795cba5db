import { expect, test } from 'vitest';
import { clockOf } from '../../lib/clock';
import { alsoText, certaintyText, mechanismName, normalText } from './chainWords';

const spaced = (text: string | undefined) => text?.replaceAll('\u202f', ' ');

test.each([
  [1, 'longest of 1,407, median 6.100 µs, p99 7.800 µs'],
  [2, 'second longest of 1,407, median 6.100 µs, p99 7.800 µs'],
  [12, '12th longest of 1,407, median 6.100 µs, p99 7.800 µs'],
  [703, '703rd longest of 1,407, median 6.100 µs, p99 7.800 µs'],
  [1_023, 'usual: median of 1,407 is 6.100 µs'],
])('number %i of its like', (rank, text) => {
  expect(spaced(normalText({ count: 1_407, median_ns: 6_100, p99_ns: 7_800, rank }, 9_000))).toBe(text);
});

test('what is certain says nothing, and what is bounded gives both bounds', () => {
  expect(certaintyText({ certainty: 'recorded', bounds: null }, 0)).toBeUndefined();
  expect(certaintyText({ certainty: 'inferred', bounds: null }, 0)).toBe('inferred');
  const bounds = { from: 900, to: 5_000 };
  expect(spaced(certaintyText({ certainty: 'bounded', bounds }, 1_000))).toBe(
    'at least from −100 ns to +4.000 µs',
  );
});

test('a mechanism of a newer server is still a word', () => {
  expect([mechanismName('irqs_off'), mechanismName('new_thing')]).toEqual(['interrupts off', 'new thing']);
});

const text = (also: readonly string[], sentence: string) => alsoText({ also: [...also], sentence });

test('what else holds is not said twice', () => {
  expect(text(['slow_clock', 'wrong_cpu'], 'hog-9 ran')).toBe('also: slow clock, another CPU was idle');
  expect(text(['stall'], 'interrupts were off')).toBe('also: CPU stood still');
  expect(text(['stall'], 'local_timer ran for 8 ms, or CPU 0 stood still')).toBeUndefined();
  expect(text(['stall', 'slow_clock'], 'hog-9 ran, or CPU 0 stood still')).toBe('also: slow clock');
  expect(text([], 'hog-9 ran')).toBeUndefined();
});

test('of a part of what is usual, its rank is not said', () => {
  const normal = { count: 2_634, median_ns: 11_000, p99_ns: 1_000_000, rank: 1_215 };
  expect(spaced(normalText(normal, 2_000))).toBe('part of one; median of 2,634 is 11.00 µs');
  expect(spaced(normalText(normal, 13_000))).toContain('1,215th longest of 2,634');
});

test('what takes less than a step of the clock is no nanosecond', () => {
  const normal = { count: 40, median_ns: 0, p99_ns: 2_000, rank: 1 };
  expect(spaced(normalText(normal, 5_000))).toBe('longest of 40, median < 1 µs, p99 2.000 µs');
  expect(spaced(normalText({ ...normal, rank: 39 }, 0))).toBe('usual: median of 40 is < 1 µs');
});

test('of a clock that counts, nothing is in units of time', () => {
  const clock = clockOf('ticks');
  const normal = { count: 40, median_ns: 0, p99_ns: 2_000, rank: 1 };
  expect(normalText(normal, 5_000, clock)).toBe('longest of 40, median 0, p99 2,000');
  const bounds = { from: 900, to: 5_000 };
  expect(certaintyText({ certainty: 'bounded', bounds }, 1_000, clock)).toBe('at least from −100 to +4,000');
});
