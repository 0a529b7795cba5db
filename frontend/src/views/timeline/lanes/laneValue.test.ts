import { expect, test } from 'vitest';
import type { PlannedLane } from '../../../components/lanes/laneModel';
import { clockOf } from '../../../lib/clock';
import { extremeOf, laneValue } from './laneValue';
import { snapToEdge } from './snapToEdge';

const PLAN = { id: 'cpu0.irq', cpu: 0, kind: 'irq', depth: 0, isNested: false, label: 'irq' };
const NAMES = { task_idx: [null, null, null], symbol_idx: [null, null, null] };
const lane = { id: 'cpu0.irq', cpu: 0, kind: 'irq', depth: 0, ...NAMES };

const SLICES: PlannedLane = {
  ...PLAN,
  lane: { ...lane, detail: 'slices', t: [0, 100, 300], duration_ns: [50, 10, 200] },
};
const BUCKETS: PlannedLane = {
  ...PLAN,
  lane: {
    ...lane,
    detail: 'buckets',
    t: [0, 100, 200],
    duration_ns: [100, 100, 100],
    count: [5, 0, 7],
    busy_ns: [50, 100, 25],
    max_ns: [9, 150, 8],
    max_start: [3, 60, 250],
  },
};
const COUNTER: PlannedLane = {
  ...PLAN,
  series: { name: 'cpu_frequency', unit: 'kHz', cpu: 0, t: [0, 100, 200], value: [1_000, 3_000, 2_000] },
};

test('a lane says what it has in view', () => {
  expect(laneValue(SLICES, { start: 0, end: 400 }, clockOf('ns'))).toBe(
    '3 slices, 40.0\u202f% of the time, longest 200\u202fns',
  );
  expect(laneValue(BUCKETS, { start: 0, end: 300 }, clockOf('ns'))).toBe(
    '12 slices, 58.3\u202f% of the time, longest 150\u202fns',
  );
  expect(laneValue(SLICES, { start: 60, end: 90 }, clockOf('ns'))).toBe('nothing in view');
  expect(laneValue(PLAN, { start: 0, end: 9 }, clockOf('ns'))).toBe('nothing in view');
  expect(laneValue(SLICES, { start: 0, end: 400 }, clockOf('ticks'))).toBe(
    '3 slices, 40.0\u202f% of the time, longest 200 clock ticks',
  );
  expect(laneValue(COUNTER, { start: 100, end: 140 }, clockOf('ns'))).toBe('3,000 kHz');
});

test('the longest and shortest slice, and the highest and lowest value', () => {
  const whole = { start: 0, end: 500 };
  expect(extremeOf(SLICES, whole, 'most')).toEqual({ start: 300, end: 500, isSlice: true });
  expect(extremeOf(SLICES, whole, 'least')).toEqual({ start: 100, end: 110, isSlice: true });
  expect(extremeOf(SLICES, { start: 0, end: 90 }, 'most')).toEqual({ start: 0, end: 50, isSlice: true });
  expect(extremeOf(BUCKETS, whole, 'most')).toEqual({ start: 60, end: 210, isSlice: true });
  expect(extremeOf(BUCKETS, whole, 'least')).toBeUndefined();
  expect(extremeOf(COUNTER, whole, 'most')).toEqual({ start: 100, end: 200, isSlice: false });
  expect(extremeOf(COUNTER, { start: 150, end: 500 }, 'least')).toEqual({
    start: 200,
    end: 500,
    isSlice: false,
  });
  expect(extremeOf(SLICES, { start: 60, end: 90 }, 'most')).toBeUndefined();
  // What lies inside comes before what reaches over an edge.
  expect(extremeOf(SLICES, { start: 20, end: 400 }, 'most')).toEqual({ start: 100, end: 110, isSlice: true });
  expect(extremeOf(SLICES, { start: 310, end: 400 }, 'most')).toEqual({
    start: 300,
    end: 500,
    isSlice: true,
  });
});

test('a cursor snaps to the nearest edge, and stays where none is near', () => {
  const items = { start: [100, 200], duration: [50, 10], fill: [] };
  const snapped = [94, 96, 148, 153, 170, 205.4, 212, 230].map((at) => snapToEdge(items, at, 5));
  expect(snapped).toEqual([94, 100, 150, 150, 170, 210, 210, 230]);
  expect(snapToEdge({ start: [], duration: [], fill: [] }, 7, 5)).toBe(7);
});
