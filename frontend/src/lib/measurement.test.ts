import { expect, test } from 'vitest';
import { hasNoTimes } from './measurement';

test('bars of a histogram have no times, cycles lie their interval apart', () => {
  expect(hasNoTimes({ time_origin: 'derived', duration_ns: 299 }, 300)).toBe(true);
  expect(hasNoTimes({ time_origin: 'derived', duration_ns: 999_000 }, 1000)).toBe(true);
  expect(hasNoTimes({ time_origin: 'derived', duration_ns: 1_498_500_000 }, 1000)).toBe(false);
  expect(hasNoTimes({ time_origin: 'recorded', duration_ns: 0 }, 1)).toBe(false);
});
