import { expect, test } from 'vitest';
import { CASE } from '../../api/latencies.fixture';
import { clockOf, TIME } from '../../lib/clock';
import type { TimeWindow } from '../../components/chart/timeWindow';
import {
  caseDomain,
  caseMarks,
  caseTicks,
  homeWindow,
  lanesHeight,
  taskRowPx,
  timelineAround,
} from './caseMarks';
import { timelineState } from '../../viewState/timeline';

test('the moments between stages and both ends are marked', () => {
  expect(caseMarks(CASE).map(({ at, kind }) => [at, kind])).toEqual([
    [996_000, 'hover'],
    [1_005_000, 'hover'],
    [1_008_000, 'hover'],
    [1_009_000, 'hover'],
    [1_012_000, 'hover'],
    [995_449, 'cursor'],
    [1_014_000, 'cursor'],
  ]);
  expect(caseMarks({ t: 5, end: 9, stages: [] }).map(({ at }) => at)).toEqual([5, 9]);
});

const labels = (start: number, window: TimeWindow, clock = TIME) =>
  caseTicks(start, window, 400, clock).at.flatMap(({ value, label }) =>
    label === '' ? [] : [[value, label]],
  );

test('times are counted from the start of the case, and far from it from the trace’s', () => {
  expect(labels(1_000_000, { start: 999_000, end: 1_003_000 })).toEqual([
    [1_000_000, '0\u202fµs'],
    [1_001_000, '1\u202fµs'],
    [1_002_000, '2\u202fµs'],
  ]);
  expect(labels(1_000_000, { start: 10_000, end: 14_000 })[0]).toEqual([11_000, '11\u202fµs']);
});

test('of a clock that counts, steps are counted from the start of the case', () => {
  const clock = clockOf('ticks');
  expect(labels(1_000_000, { start: 999_000, end: 1_003_000 }, clock)).toEqual([
    [1_000_000, '0'],
    [1_001_000, '1,000'],
    [1_002_000, '2,000'],
  ]);
  expect(caseTicks(0, { start: -9, end: 99 }, 400, clock).unit).toBe('clock ticks');
});

const DOMAIN = { start: 0, end: 2_000_000 };

test('the case fills the width, as far as the trace goes', () => {
  expect(homeWindow(CASE, DOMAIN)).toEqual({ start: 994_336, end: 1_015_113 });
  expect(homeWindow({ ...CASE, t: 0, end: 2_000_000 }, DOMAIN)).toEqual(DOMAIN);
});

test('a mere moment is shown in its surroundings', () => {
  expect(homeWindow({ ...CASE, end: CASE.t }, DOMAIN)).toEqual({ start: 985_000, end: 1_025_000 });
  expect(homeWindow({ ...CASE, end: CASE.t, window: { start: -50, end: -50 } }, DOMAIN)).toEqual({
    start: 0,
    end: 100,
  });
});

test('the timeline opens around the case with the case open and selected', () => {
  const { state, notices } = timelineState.read(timelineAround(CASE));
  expect(state).toMatchObject({
    window: { start: 985_000, end: 1_025_000 },
    area: { start: CASE.t, end: CASE.end },
    case: CASE.id,
  });
  expect(notices).toEqual([]);
});

test('a case that began before the recording still makes a link that can be read', () => {
  const { state, notices } = timelineState.read(
    timelineAround({ window: { start: -500, end: 200 }, t: -300, end: -300 }),
  );
  expect(notices).toEqual([]);
  expect(state.window).toEqual({ start: 0, end: 200 });
});

test('shows a case that began before the first record', () => {
  expect(caseDomain(CASE, 2_000_000)).toEqual({ start: 0, end: 2_000_001 });
  const early = { ...CASE, t: -34_689, end: 0, window: { start: -84_689, end: 50_000 } };
  const domain = caseDomain(early, 7_000);
  expect(homeWindow(early, domain).start).toBeLessThan(early.t);
});

test('the lanes of a case are higher where the window is', () => {
  const [laptop, monitor] = [lanesHeight(CASE, 800), lanesHeight(CASE, 1_440)];
  expect(monitor).toBeGreaterThan(1.5 * laptop);
  expect(taskRowPx(1_440)).toBeGreaterThan(taskRowPx(800));
  expect(lanesHeight(CASE, 400)).toBe(laptop);
});
