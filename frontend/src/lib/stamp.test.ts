import { expect, it } from 'vitest';
import { ns } from './ns';
import { stampText } from './stamp';

it('keeps every nanosecond of a stamp beyond 2^53', () => {
  expect(stampText('2563694114000000001', ns(118))).toBe('2563694114.000000119');
  expect(stampText('0', ns(5))).toBe('0.000000005');
  expect(stampText('0', ns(-1_500_000_000))).toBe('-1.500000000');
});
