import { expect, it } from 'vitest';
import { stepByKey } from './stepByKey';

it('goes from one to the next, begins at an end, and stops at the ends', () => {
  expect(stepByKey('ArrowRight', undefined, 4)).toBe(0);
  expect(stepByKey('ArrowLeft', undefined, 4)).toBe(3);
  expect(stepByKey('ArrowRight', 1, 4)).toBe(2);
  expect(stepByKey('ArrowRight', 3, 4)).toBe(3);
  expect(stepByKey('Home', 2, 4)).toBe(0);
  expect(stepByKey('PageDown', 0, 4)).toBe(3);
});

it('leaves other keys alone, and all of them where there is nothing to read', () => {
  expect(stepByKey('a', 0, 4)).toBeUndefined();
  expect(stepByKey('ArrowUp', 0, 4)).toBeUndefined();
  expect(stepByKey('ArrowRight', undefined, 0)).toBeUndefined();
});
