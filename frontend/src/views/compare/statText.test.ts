import { expect, test } from 'vitest';
import { measureOf } from '../../lib/measure';
import { deltaText, intervalText, proofText, saidStat } from './statText';

const TIME = measureOf('ns');
const COUNTS = measureOf('none');
const TICKS = measureOf('ticks');

const difference = (from: number, to: number) => ({
  variant: 'after',
  stat: 'p99_ns',
  from,
  to,
  delta_ns: to - from,
  share: from === 0 ? null : (to - from) / from,
  interval: null,
  is_real: null,
});

const plain = (text: string) => text.replaceAll('\u202f', ' ');

test('an interval names its unit once where both ends have the same', () => {
  expect(plain(intervalText([23_100, 25_900], TIME))).toBe('23.10 – 25.90 µs');
  expect(plain(intervalText([900_000, 1_200_000], TIME))).toBe('900.0 µs – 1.200 ms');
  expect(plain(intervalText([24_000, 24_000], TIME))).toBe('24.00 µs');
  expect(plain(intervalText([1_078, 1_094], COUNTS))).toBe('1,078 – 1,094');
  expect(intervalText([1_078, 2_094], TICKS)).toBe('1,078 – 2,094');
  expect(intervalText(null, TIME)).toBe('too few');
});

test('a difference has its sign, its share, and a factor where it is manifold', () => {
  expect(plain(deltaText(difference(28_000, 24_000), TIME))).toBe('−4.000 µs (−14 %)');
  expect(plain(deltaText(difference(25_000, 25_100), TIME))).toBe('+100 ns (+0.4 %)');
  expect(plain(deltaText(difference(78_000, 12_820_000), TIME))).toBe('+12.742 ms (× 164)');
  expect(plain(deltaText(difference(0, 5), COUNTS))).toBe('+5');
  expect(deltaText(difference(5, 5), COUNTS)).toBe('same');
});

const proof = (interval: readonly [number, number] | null, is_real: boolean | null) =>
  proofText({ ...difference(25_000, 24_000), interval, is_real });

test('what stands against a difference is named', () => {
  expect(proof(null, null)).toMatch(/^Too few/);
  expect(proof([-1_000, -1_000], true)).toMatch(/^Real/);
  expect(proof([-1_000, 0], false)).toMatch(/interval allows zero/);
  expect(proof([-1_000, -1_000], false)).toMatch(/excludes zero, but more than 5 %/);
});

const of = (stat: string, is_real: boolean | null) => ({ ...difference(25_000, 24_000), stat, is_real });

test('the number that the sentence is of is the rarest that really differs', () => {
  expect(saidStat([of('p99_ns', true), of('p99_99_ns', null), of('p99_9_ns', false)])).toBe('p99_ns');
  expect(saidStat([of('mean_ns', true), of('p99_ns', true), of('p99_99_ns', true)])).toBe('p99_99_ns');
  expect(saidStat([of('max_ns', true), of('p99_ns', null)])).toBeUndefined();
});
