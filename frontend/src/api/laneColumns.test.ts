import { expect, test } from 'vitest';
import { drawnLane } from './laneColumns';

const WINDOW = { start: 1_050, end: 1_930 };

test('buckets begin at multiples of their length, and the window cuts the first and the last', () => {
  const lane = {
    id: 'cpu0.irq',
    detail: 'buckets',
    bucket_ns: 100,
    bucket_step: [10, 1, 8],
    symbol_idx: [0, 0, 1],
    count: [2, 1, 1],
    max_offset_ns: [60, -40, 15],
  };
  expect(drawnLane(lane, WINDOW)).toEqual({
    id: 'cpu0.irq',
    detail: 'buckets',
    t: [1_050, 1_100, 1_900],
    duration_ns: [50, 100, 30],
    task_idx: [null, null, null],
    symbol_idx: [0, 0, 1],
    count: [2, 1, 1],
    max_start: [1_060, 1_060, 1_915],
  });
});

test('what all slices of a lane lack is left out by the server, and each then has its whole time itself', () => {
  expect(drawnLane({ detail: 'slices', t: [5, 9], duration_ns: [2, 3], task_idx: [1, 0] }, WINDOW)).toEqual({
    detail: 'slices',
    t: [5, 9],
    duration_ns: [2, 3],
    task_idx: [1, 0],
    symbol_idx: [null, null],
    self_ns: [2, 3],
  });
});
