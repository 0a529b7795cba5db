import { describe, expect, test } from 'vitest';
import {
  centreWindow,
  frameWindow,
  overlaps,
  panWindow,
  placeWindow,
  windowBetween,
  zoomWindow,
} from './timeWindow';

const domain = { start: 0, end: 1_000_000 };

function check(start: number, span: number, expected: [number, number]) {
  expect(placeWindow(start, span, domain)).toEqual({ start: expected[0], end: expected[1] });
}

describe('placing a window', () => {
  test('keeps one that fits', () => check(100, 1_000, [100, 1_100]));
  test('moves one that starts too early', () => check(-50, 1_000, [0, 1_000]));
  test('moves one that ends too late', () => check(999_900, 1_000, [999_000, 1_000_000]));
  test('cuts one that is wider than the trace', () => check(-5, 5_000_000, [0, 1_000_000]));
  test('never goes below the narrowest', () => check(500, 3, [500, 600]));
  test('rounds to whole nanoseconds', () => check(10.4, 1_000.6, [10, 1_011]));
  test('shows a whole trace shorter than the narrowest', () =>
    expect(placeWindow(0, 3, { start: 0, end: 40 })).toEqual({ start: 0, end: 40 }));
});

test('zooming keeps the point under the pointer', () => {
  const zoomed = zoomWindow({ start: 200_000, end: 400_000 }, 0.5, 0.25, domain);
  expect(zoomed).toEqual({ start: 225_000, end: 325_000 });
});

test('zooming out stops at the whole trace', () =>
  expect(zoomWindow({ start: 200_000, end: 900_000 }, 4, 0.5, domain)).toEqual(domain));

test('panning keeps the span and stops at the edges', () => {
  expect(panWindow({ start: 0, end: 1_000 }, 0.1, domain)).toEqual({ start: 100, end: 1_100 });
  expect(panWindow({ start: 50, end: 1_050 }, -0.1, domain)).toEqual({ start: 0, end: 1_000 });
});

test('centring puts the point in the middle', () =>
  expect(centreWindow({ start: 0, end: 1_000 }, 5_000, domain)).toEqual({ start: 4_500, end: 5_500 }));

test('framing leaves a margin on both sides', () =>
  expect(frameWindow(10_000, 20_000, domain)).toEqual({ start: 9_000, end: 21_000 }));

test('half-open intervals and instants overlap as they are drawn', () => {
  const window = { start: 100, end: 200 };
  expect(overlaps(window, 50, 100)).toBe(false);
  expect(overlaps(window, 50, 101)).toBe(true);
  expect(overlaps(window, 200, 300)).toBe(false);
  expect(overlaps(window, 100, 100)).toBe(true);
});

test('a drag to the left is the same area as a drag to the right', () =>
  expect(windowBetween(20.2, 10.1)).toEqual({ start: 10, end: 20 }));
