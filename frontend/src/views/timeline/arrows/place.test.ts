import { expect, it } from 'vitest';
import type { PlannedLane } from '../../../components/lanes/laneModel';
import { ns } from '../../../lib/ns';
import { placeOf, placeOfCase } from './place';

it('is an instant for an event, before any slice', () => {
  const event = { cpu: 2, t: ns(50) };
  expect(placeOf({ event, slice: undefined }, undefined, undefined)).toEqual({ start: 50, end: 50, cpu: 2 });
  expect(placeOf({ event: undefined, slice: undefined }, undefined, undefined)).toBeUndefined();
});

it('is the shortest slice around an event on the lanes of its CPU, with the instant of the event', () => {
  const plan = { id: 'x', depth: 0, isNested: false, label: 'x' };
  const lane = (kind: string, cpu: number, t: number, duration: number): PlannedLane => ({
    ...plan,
    cpu,
    kind,
    lane: {
      id: 'x',
      cpu,
      kind,
      depth: 0,
      detail: 'slices',
      t: [t],
      duration_ns: [duration],
      task_idx: [null],
      symbol_idx: [null],
    },
  });
  const lanes = [
    lane('sched', 2, 0, 100),
    lane('irq', 2, 40, 20),
    lane('irq', 1, 49, 2),
    lane('irq', 2, 50, 0),
  ];
  const at = (t: number) => placeOf({ event: { cpu: 2, t: ns(t) }, slice: undefined }, lanes, undefined);
  expect(at(50)).toEqual({ start: 40, end: 60, cpu: 2, at: 50 });
  expect(at(60)).toEqual({ start: 0, end: 100, cpu: 2, at: 60 });
  expect(at(100)).toEqual({ start: 100, end: 100, cpu: 2 });
});

it('is a point for a slice whose lane is not loaded, on the lane of its task where it has one', () => {
  const slice = { cpu: 0, kind: 'task', depth: 0, pid: 7, t: ns(50) };
  expect(placeOf({ event: undefined, slice }, [], undefined)).toEqual({ start: 50, end: 50, pid: 7 });
});

it('is the stretch of an opened case on the lane of its task, or of its CPU', () => {
  const opened = { t: 10, end: 90, pid: 7, cpu: 1 };
  expect(placeOfCase(opened)).toEqual({ start: 10, end: 90, pid: 7 });
  expect(placeOfCase({ ...opened, pid: null })).toEqual({ start: 10, end: 90, cpu: 1 });
});
