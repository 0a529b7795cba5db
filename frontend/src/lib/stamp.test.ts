import { expect, it } from 'vitest';
import { TIME, clockOf } from './clock';
import { ns } from './ns';
import { instantText, recordedOrigin, stampText } from './stamp';

it('keeps every nanosecond of a stamp beyond 2^53', () => {
  expect(stampText('2563694114000000001', ns(118))).toBe('2563694114.000000119');
  expect(stampText('0', ns(5))).toBe('0.000000005');
  expect(stampText('0', ns(-1_500_000_000))).toBe('-1.500000000');
});

it('shows no stamp that the file does not have', () => {
  const derived = recordedOrigin({ origin_ns: '1591', time_origin: 'derived' });
  expect(instantText(118.9, derived, TIME)).toBe('0.000000118\u202fs');
  const recorded = recordedOrigin({ origin_ns: '1000000000', time_origin: 'recorded' });
  expect(instantText(118.9, recorded, TIME)).toBe('0.000000118\u202fs (stamp 1.000000118)');
  expect(instantText(118, '3', clockOf('ticks'))).toBe('118 (stamp 121)');
  // As many digits as that of another case.
  expect(instantText(104_232_870, derived, TIME)).toBe('0.104232870\u202fs');
});
