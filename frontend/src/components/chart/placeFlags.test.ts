import { expect, test } from 'vitest';
import { placeFlags } from './placeFlags';

const places = (...lines: readonly (readonly [number, string | undefined])[]) =>
  placeFlags(
    lines.map(([x, text]) => ({ x, text })),
    1000,
  ).map((flag) => flag && `${flag.side} ${flag.row} ${flag.maxWidth}`);

test('a text is right of its line, and left of it where the plot ends', () => {
  expect(places([100, 'A'], [990, 'B 1.979 ms'])).toEqual(['right 0 900', 'left 0 990']);
  expect(places([100, undefined])).toEqual([undefined]);
});

test('texts that would lie over each other are above each other', () => {
  const note = 'timer wakeup handler, clock_nanosleep';
  expect(places([900, note], [950, note], [995, note])).toEqual(['left 0 900', 'left 1 950', 'left 2 995']);
  expect(places([0, note], [500, note])).toEqual(['right 0 1000', 'right 0 500']);
});

test('a text that is longer than the plot ends at its edge', () => {
  expect(places([400, 'x'.repeat(400)])).toEqual(['right 0 600']);
});
