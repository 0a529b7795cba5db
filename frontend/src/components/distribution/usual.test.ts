import { expect, test } from 'vitest';
import { measureOf } from '../../lib/measure';
import type { Spread } from '../../lib/spread';
import { closeBucket, isWithinOctave, usualForm, valueShelves } from './usual';

const NUMBERS = measureOf('none');

const repeat = (count: number, value: number) => Array<number>(count).fill(value);

function spreadOf(values: readonly number[]): Spread {
  const max_ns = values.at(-1) ?? 0;
  const tail = { p99_ns: max_ns, p99_9_ns: max_ns, p99_99_ns: max_ns, p99_999_ns: max_ns };
  const shelves = { rank: values.map((_, index) => index), duration_ns: values };
  return {
    group: null,
    count: values.length,
    min_ns: values[0] ?? 0,
    max_ns,
    ...tail,
    histogram: [],
    shelves,
  };
}

test('bare numbers open as sorted samples, times as bars', () => {
  expect(usualForm(NUMBERS)).toBe('shelves');
  expect(usualForm(measureOf('ns'))).toBe('histogram');
});

test('a value is a shelf where one in twenty samples has it', () => {
  const values = [...repeat(3, 983), ...repeat(60, 1078), ...repeat(37, 1079)];
  const shelves = valueShelves([spreadOf(values)], NUMBERS);
  expect(shelves.map(({ text, from, to }) => [text, from, to])).toEqual([
    ['1,078', 0.03, 0.63],
    ['1,079', 0.63, 1],
  ]);
});

test('a slope has no shelf, and nothing sampled none either', () => {
  expect(valueShelves([spreadOf(Array.from({ length: 100 }, (_, i) => i))], NUMBERS)).toEqual([]);
  expect(valueShelves([spreadOf([])], NUMBERS)).toEqual([]);
});

test('values within one power of two get bars of a whole width over what they span', () => {
  for (const [min_ns, max_ns] of [
    [983, 1079],
    [1_000_000, 1_900_000],
    [7, 7],
  ] as const) {
    expect(isWithinOctave({ min_ns, max_ns })).toBe(true);
    const width = closeBucket({ min_ns, max_ns });
    expect(Number.isInteger(width) && width >= 1).toBe(true);
    expect(Math.abs(max_ns - min_ns) / width).toBeLessThan(81);
  }
  expect(
    Math.abs(1_900_000 - 1_000_000) / closeBucket({ min_ns: 1_000_000, max_ns: 1_900_000 }),
  ).toBeGreaterThan(29);
  expect(isWithinOctave({ min_ns: 0, max_ns: 0 })).toBe(false);
  expect(isWithinOctave({ min_ns: 500, max_ns: 1000 })).toBe(false);
});
