import { expect, test } from 'vitest';
import { spreadText } from './mad';

const said = (count: number, mad_ns: number) =>
  spreadText({ count, median_ns: 2_500, mad_ns, min_ns: 2_100, max_ns: 8_000 }).replaceAll('\u202f', ' ');

test('three values and more have a median absolute deviation', () =>
  expect(said(3, 120)).toBe('median 2.500 µs, spread (MAD) 120 ns, 2.100 µs to 8.000 µs'));

test('of two values it would be 0, whatever they are', () =>
  expect(said(2, 0)).toBe('median 2.500 µs, 2.100 µs to 8.000 µs'));
