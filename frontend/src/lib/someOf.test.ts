import { expect, it } from 'vitest';
import { someOf } from './someOf';

it('counts only where at least two names are left out', () => {
  const names = Array.from({ length: 1_205 }, (_, at) => `f${at}`);
  const text = (count: number) => someOf(names.slice(0, count), 3);
  expect(text(0)).toBe('');
  expect(text(3)).toBe('f0, f1, f2');
  expect(text(4)).toBe('f0, f1, f2, f3');
  expect(text(5)).toBe('f0, f1, f2 and 2 more');
  expect(text(1_205)).toBe('f0, f1, f2 and 1,202 more');
});
