import { expect, test } from 'vitest';
import { hasNoTimes, isMeasurement } from './measurement';

const FILE = { worst: { kind: 'measured' }, slice_count: 0, call_count: 0, time_origin: 'derived' };

test('a file of measurements has nothing in it that ran', () => {
  expect(isMeasurement(FILE)).toBe(true);
  expect(isMeasurement({ ...FILE, slice_count: 1 })).toBe(false);
  expect(isMeasurement({ ...FILE, call_count: 1 })).toBe(false);
  expect(isMeasurement({ ...FILE, worst: { kind: 'wakeup' } })).toBe(false);
  expect(isMeasurement({ ...FILE, worst: null })).toBe(false);
});

test('bars of a histogram have no times, cycles lie their interval apart', () => {
  expect(hasNoTimes({ time_origin: 'derived', duration_ns: 299 }, 300)).toBe(true);
  expect(hasNoTimes({ time_origin: 'derived', duration_ns: 999_000 }, 1000)).toBe(true);
  expect(hasNoTimes({ time_origin: 'derived', duration_ns: 1_498_500_000 }, 1000)).toBe(false);
  expect(hasNoTimes({ time_origin: 'recorded', duration_ns: 0 }, 1)).toBe(false);
});
