import { expect, test } from 'vitest';
import { curveBetween, curvePath, distanceTo } from './curve';

test('a curve leads from one point to the other, with a head at an end that is in sight', () => {
  const inSight = curveBetween({ x: 0, y: 10 }, { x: 90, y: 50 }, 100);
  expect(curvePath(inSight)).toBe('M0 10C30 10 60 50 90 50M85 46L90 50L85 54');
  const beyond = curveBetween({ x: 0, y: 10 }, { x: 9_000, y: 50 }, 100);
  expect(curvePath(beyond)).toMatch(/ 140 50$/);
});

test('a curve within a row arches over it', () => {
  expect(curveBetween({ x: 0, y: 30 }, { x: 60, y: 30 }, 100).points[1].y).toBeLessThan(30);
});

test('a point is as far from a curve as from its nearest piece', () => {
  const steep = curveBetween({ x: 50, y: 0 }, { x: 50, y: 100 }, 100);
  expect(distanceTo(steep, { x: 50, y: 0 })).toBeCloseTo(0);
  // The middle of the curve is the middle of its ends.
  expect(distanceTo(steep, { x: 50, y: 50 })).toBeLessThan(0.1);
  expect(distanceTo(steep, { x: 50, y: 130 })).toBeCloseTo(30);
  const ends = curveBetween({ x: 0, y: 10 }, { x: 90, y: 50 }, 100);
  expect(distanceTo(ends, { x: 45, y: 30 })).toBeLessThan(distanceTo(ends, { x: 45, y: 50 }));
});
