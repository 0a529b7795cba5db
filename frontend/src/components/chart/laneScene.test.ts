import { describe, expect, test } from 'vitest';
import { buildScene, itemAt, lastAtOrBefore, rowAt, sceneHeight, type LaneRow } from './laneScene';

const row = (start: number[], duration: number[], group?: string): LaneRow => ({
  id: 'cpu0.irq',
  label: 'irq',
  height: 18,
  items: { start, duration, fill: start.map(() => 0) },
  ...(group === undefined ? {} : { group }),
});

describe('rows', () => {
  const scene = buildScene({
    rows: [row([], [], 'CPU 0'), row([], []), row([], [], 'CPU 1')],
    fills: [],
    texts: [],
    groupGap: 6,
  });

  test('stack downwards with a gap before each further block', () => {
    expect(scene.tops).toEqual([0, 18, 42, 60]);
    expect(sceneHeight(scene)).toBe(60);
  });

  test('are found by their pixels, and not in the gap', () => {
    expect([-1, 0, 17.9, 18, 36, 41.9, 42, 60].map((y) => rowAt(scene, y))).toEqual([
      undefined,
      0,
      0,
      1,
      undefined,
      undefined,
      2,
      undefined,
    ]);
  });
});

function check(x: number, tolerance: number, expected: number | undefined) {
  expect(itemAt(row([100, 200, 201], [50, 1, 9]), x, tolerance)).toBe(expected);
}

describe('hit-testing', () => {
  test('starts are inside, ends are not', () => {
    check(100, 0, 0);
    check(149, 0, 0);
    check(151, 0.5, undefined);
  });
  test('neighbours that touch are told apart by the nanosecond', () => {
    check(200, 5, 1);
    check(201, 5, 2);
  });
  test('the nearer one within the tolerance wins', () => {
    check(195, 10, 1);
    check(153, 10, 0);
    check(175, 10, undefined);
  });
  test('an empty row has nothing to hit', () => expect(itemAt(row([], []), 5, 100)).toBeUndefined());
});

test('the last element not after x', () => {
  expect([-1, 0, 5, 10, 11].map((x) => lastAtOrBefore([0, 10], x))).toEqual([-1, 0, 0, 1, 1]);
});
