import { expect, it } from 'vitest';
import { ns } from '../../../lib/ns';
import { placeOf, placeOfCase } from './place';

it('is an instant for an event, before any slice', () => {
  const event = { cpu: 2, t: ns(50) };
  expect(placeOf({ event, slice: undefined }, undefined, undefined)).toEqual({ start: 50, end: 50, cpu: 2 });
  expect(placeOf({ event: undefined, slice: undefined }, undefined, undefined)).toBeUndefined();
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
