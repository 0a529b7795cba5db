import { expect, test } from 'vitest';
import { clockOf } from './clock';
import { ns } from './ns';

const said = (unit: string | null) => {
  const clock = clockOf(unit);
  return [
    clock.duration(ns(2_338)),
    clock.brief(ns(2_338)),
    clock.exact(ns(1)),
    clock.instant(ns(12_000)),
    clock.range(ns(5), ns(2_338)),
    clock.column(ns(2_338)),
    clock.stamp('3', ns(2_338)),
  ].map((text) => text.replaceAll('\u202f', ' '));
};

test('steps of a clock that counts have no unit of time', () => {
  expect(said('ticks')).toEqual([
    '2,338 clock ticks',
    '2,338',
    '1 clock tick',
    '12,000',
    '5 to 2,338',
    '2,338',
    '2341',
  ]);
});

test('every other clock, and one that is not known, has time', () => {
  const time = [
    '2.338 µs',
    '2.338 µs',
    '1 ns',
    '0.000012000 s',
    '0.000000005 to 0.000002338 s',
    '0.000002338',
    '0.000002341',
  ];
  expect(said('ns')).toEqual(time);
  expect(said(null)).toEqual(time);
});
