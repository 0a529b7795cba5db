import { expect, it } from 'vitest';
import type { LatencyItem } from '../../../api/latencyTypes';
import { listedExtreme } from './listedExtreme';

const ofUnit = (unit: string, field?: string) => ({
  // Only the unit matters.
  worst: { unit, duration_ns: 9 } as LatencyItem,
  request: { kind: 'measured', field },
});

it('lists the smallest of what counts work, unless the largest are asked for', () => {
  expect(listedExtreme(ofUnit('none'), { extreme: undefined })).toBe('smallest');
  expect(listedExtreme(ofUnit('none'), { extreme: 'largest' })).toBe('largest');
});

it('has no choice for times, for fields, and for nothing', () => {
  expect(listedExtreme(ofUnit('ns'), { extreme: 'smallest' })).toBeUndefined();
  expect(listedExtreme(ofUnit('none', 'timer_start.timeout'), { extreme: 'smallest' })).toBeUndefined();
  expect(listedExtreme(undefined, { extreme: undefined })).toBeUndefined();
});
