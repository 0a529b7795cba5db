import { expect, test } from 'vitest';
import { addParts, type EventCounts } from './eventCounts';

const part = (cells: readonly (readonly [number, number, number])[]): EventCounts => ({
  count: cells.reduce((sum, [, , count]) => sum + count, 0),
  cpus: cells.map(([cpu, t, count]) => ({ cpu, count, t: [t], duration_ns: [10], counts: [count] })),
  next: null,
});

test('parts of a window add up cell by cell, in order of CPU and time', () => {
  const parts = [
    part([
      [1, 20, 3],
      [0, 10, 1],
    ]),
    part([
      [1, 10, 4],
      [1, 20, 2],
    ]),
  ];
  expect(addParts(parts)).toEqual({
    count: 10,
    cpus: [
      { cpu: 0, count: 1, t: [10], duration_ns: [10], counts: [1] },
      { cpu: 1, count: 9, t: [10, 20], duration_ns: [10, 10], counts: [4, 5] },
    ],
  });
  expect(addParts([])).toEqual({ count: 0, cpus: [] });
});
