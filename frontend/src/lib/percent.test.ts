import { expect, test } from 'vitest';
import { percentText } from './percent';

test.each([
  [0, 1, '0.0\u202f%'],
  [0, 0, '0.0\u202f%'],
  [4, 10_000, '<\u202f0.1\u202f%'],
  [0.653_4, 1, '65.3\u202f%'],
  [7, 7, '100.0\u202f%'],
])('%f of %f is %s', (part, whole, text) => expect(percentText(part, whole)).toBe(text));
