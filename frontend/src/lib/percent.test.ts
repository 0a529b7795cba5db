import { expect, test } from 'vitest';
import { changeText, percentText } from './percent';

test.each([
  [0, 1, '0.0\u202f%'],
  [0, 0, '0.0\u202f%'],
  [4, 10_000, '<\u202f0.1\u202f%'],
  [0.653_4, 1, '65.3\u202f%'],
  [7, 7, '100.0\u202f%'],
])('%f of %f is %s', (part, whole, text) => expect(percentText(part, whole)).toBe(text));

test.each([
  [-0.143, '−14\u202f%'],
  [0.099_6, '+10\u202f%'],
  [0.004, '+0.4\u202f%'],
  [-0.000_96, '−0.1\u202f%'],
  [-13 / 77_704, '−0.02\u202f%'],
  [0.000_000_4, '+0.00004\u202f%'],
  [163.4, '×\u202f164'],
])('a change of %f is %s', (share, text) => expect(changeText(share)).toBe(text));

test('a change that is not zero is never said as zero', () => {
  for (let exponent = 0; exponent < 15; exponent += 1) {
    for (const digits of [1, 4.9, 5, 9.4, 9.5, 9.9]) {
      expect(changeText(-digits * 10 ** -exponent)).toMatch(/[1-9]/);
    }
  }
});
