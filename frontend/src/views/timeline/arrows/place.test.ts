import { expect, it } from 'vitest';
import { ns } from '../../../lib/ns';
import { placeOf } from './place';

it('is an instant for an event, before any slice', () => {
  const event = { cpu: 2, t: ns(50) };
  expect(placeOf({ event, slice: undefined }, undefined, undefined)).toEqual({ start: 50, end: 50, cpu: 2 });
  expect(placeOf({ event: undefined, slice: undefined }, undefined, undefined)).toBeUndefined();
});

it('is a point for a slice whose lane is not loaded, on the lane of its task where it has one', () => {
  const slice = { cpu: 0, kind: 'task', depth: 0, pid: 7, t: ns(50) };
  expect(placeOf({ event: undefined, slice }, [], undefined)).toEqual({ start: 50, end: 50, pid: 7 });
});
