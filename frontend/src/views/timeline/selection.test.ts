import { expect, test } from 'vitest';
import { ns } from '../../lib/ns';
import { fillLanes, planLanes } from '../../components/lanes/laneModel';
import { findSlice, firstAt, isInSight, neighbourOf, sliceAt, sliceIdOf, type Direction } from './selection';
import { FIXTURE } from '../../components/lanes/timeline.fixture';

const lanes = fillLanes(planLanes([FIXTURE], { cpu: [], hide: [] }), FIXTURE);

test('a slice is named by its lane and start, a bucket by its longest slice', () => {
  expect(sliceIdOf(lanes, { row: 0, item: 1, at: 2_000 })).toEqual({
    cpu: 0,
    kind: 'sched',
    depth: 0,
    t: 1_000,
  });
  expect(sliceIdOf(lanes, { row: 2, item: 0, at: 2_000 })).toEqual({
    cpu: 1,
    kind: 'sched',
    depth: 0,
    t: 700,
  });
  expect(sliceIdOf(lanes, { row: 2, at: 2_000 })).toBeUndefined();
});

test('a name is found again, in the bucket that holds it where slices are too narrow', () => {
  expect(findSlice(lanes, { cpu: 0, kind: 'irq', depth: 0, t: ns(3_000) })).toEqual({
    row: 1,
    item: 1,
    at: 3_000,
  });
  expect(findSlice(lanes, { cpu: 0, kind: 'irq', depth: 0, t: ns(3_001) })).toBeUndefined();
  expect(findSlice(lanes, { cpu: 1, kind: 'sched', depth: 0, t: ns(6_100) })).toEqual({
    row: 2,
    item: 1,
    at: 6_100,
  });
  expect(findSlice(lanes, { cpu: 7, kind: 'sched', depth: 0, t: ns(0) })).toBeUndefined();
});

test('details need the single slice', () => {
  expect(sliceAt(FIXTURE.lanes, { cpu: 0, kind: 'irq', depth: 0, t: ns(500) })?.index).toBe(0);
  expect(sliceAt(FIXTURE.lanes, { cpu: 1, kind: 'sched', depth: 0, t: ns(700) })).toBeUndefined();
});

test.each<[Direction, { row: number; item: number; at: number }, { row: number; item: number } | undefined]>([
  ['right', { row: 0, item: 1, at: 1_000 }, { row: 0, item: 2 }],
  ['left', { row: 0, item: 1, at: 1_000 }, undefined],
  ['down', { row: 0, item: 1, at: 3_100 }, { row: 1, item: 1 }],
  ['up', { row: 1, item: 1, at: 3_000 }, { row: 0, item: 1 }],
  ['up', { row: 0, item: 1, at: 3_000 }, undefined],
])('%s of %o', (direction, from, expected) => {
  const found = neighbourOf(lanes, FIXTURE, from, direction);
  expect(found && { row: found.row, item: found.item }).toEqual(expected);
});

test('with nothing selected, the keys begin at what the uppermost lane has at that time', () => {
  expect(firstAt(lanes, FIXTURE, 2_000)).toEqual({ row: 0, item: 1, at: 1_000 });
  expect(firstAt([], FIXTURE, 2_000)).toBeUndefined();
});

test.each([
  ['that begins in it', { start: 500, end: 1_500 }, true],
  ['that began before it', { start: 1_001, end: 1_002 }, true],
  ['that begins at its end', { start: 0, end: 1_000 }, false],
])('an item %s is in sight: %o, %s', (_, window, isSeen) => {
  expect(isInSight(lanes, { row: 0, item: 1, at: 1_000 }, window)).toBe(isSeen);
});
