import { expect, it } from 'vitest';
import { ranges } from './ranges';

it.each([
  [[], ''],
  [[3], '3'],
  [[0, 1], '0-1'],
  [[0, 1, 2, 3, 8, 10, 11], '0-3, 8, 10-11'],
])('writes %j as %s', (numbers, text) => {
  expect(ranges(numbers)).toBe(text);
});
