import { expect, test } from 'vitest';
import { areaStats } from './areaStats';
import { FIXTURE } from '../../components/lanes/timeline.fixture';

function check(area: [number, number], expected: readonly string[]) {
  const { shares } = areaStats(FIXTURE, { start: area[0], end: area[1] });
  expect(
    shares.map(
      (s) => `cpu${s.cpu} ${s.kind} ${s.name} ${s.count}x ${s.total_ns} max ${s.max_ns} ${s.share * 100}%`,
    ),
  ).toEqual(expected);
}

test('slices over the edge count with what lies inside, idle does not', () =>
  check(
    [500, 3_100],
    [
      'cpu0 sched cyclictest-1213 1x 2100 max 5000 80.76923076923077%',
      'cpu1 sched cyclictest-1213 3x 2500 max 2000 96.15384615384616%',
      'cpu0 irq local_timer 2x 300 max 300 11.538461538461538%',
    ].toSorted((a, b) => Number(/x (\d+)/.exec(b)?.[1]) - Number(/x (\d+)/.exec(a)?.[1])),
  ));

test('says when buckets made it inexact', () => {
  expect(areaStats(FIXTURE, { start: 0, end: 10 }).isExact).toBe(false);
  expect(areaStats({ ...FIXTURE, lanes: FIXTURE.lanes.slice(0, 2) }, { start: 0, end: 10 }).isExact).toBe(
    true,
  );
});
