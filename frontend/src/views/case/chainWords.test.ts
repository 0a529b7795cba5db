import { expect, test } from 'vitest';
import { alsoText, certaintyText, mechanismName, normalText } from './chainWords';

const spaced = (text: string | undefined) => text?.replaceAll('\u202f', ' ');

test.each([
  [1, 'longest of 1,407, median 6.100 µs, p99 7.800 µs'],
  [2, 'second longest of 1,407, median 6.100 µs, p99 7.800 µs'],
  [12, '12th longest of 1,407, median 6.100 µs, p99 7.800 µs'],
  [703, '703rd longest of 1,407, median 6.100 µs, p99 7.800 µs'],
  [1_023, 'usual: median of 1,407 is 6.100 µs'],
])('number %i of its like', (rank, text) => {
  expect(spaced(normalText({ count: 1_407, median_ns: 6_100, p99_ns: 7_800, rank }))).toBe(text);
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
  expect(alsoText(['slow_clock', 'wrong_cpu'])).toBe('also: slow clock, another CPU was idle');
  expect(alsoText([])).toBeUndefined();
});
