import { expect, test } from 'vitest';
import { CASE } from '../../api/latencies.fixture';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { caseMarks, homeWindow, timelineAround } from './caseMarks';
import { timelineState } from '../../viewState/timeline';

function check(window: TimeWindow, expected: readonly unknown[]) {
  expect(caseMarks(CASE, window).map(({ id, at, text }) => [id, at, text])).toEqual(expected);
}

test('the ends of the case and the beginning of its widest stage are marked', () => {
  check({ start: 995_000, end: 999_000 }, [
    ['start', 995_449, 'expiry'],
    ['widest', 996_000, 'irq entry'],
    ['end', 1_014_000, 'user'],
  ]);
});

test('names that would lie on each other are left out', () => {
  check({ start: 985_000, end: 1_025_000 }, [
    ['start', 995_449, 'expiry'],
    ['end', 1_014_000, 'user'],
  ]);
  check({ start: 0, end: 1_000_000_000 }, [
    ['start', 995_449, 'expiry'],
    ['end', 1_014_000, undefined],
  ]);
});

test('a case without stages has its ends', () => {
  const marks = caseMarks({ t: 5, end: 9, stages: [] }, { start: 0, end: 10 });
  expect(marks.map(({ text }) => text)).toEqual(['start', 'end']);
});

test.each([
  [
    { start: 985_000, end: 1_025_000 },
    { start: 985_000, end: 1_025_000 },
  ],
  [
    { start: -5_000, end: 20_000 },
    { start: 0, end: 20_000 },
  ],
  [
    { start: 0, end: 0 },
    { start: 993_594, end: 1_015_855 },
  ],
])('around %o is shown %o', (window, shown) => {
  expect(homeWindow({ ...CASE, window }, { start: 0, end: 2_000_000 })).toEqual(shown);
});

test('the timeline opens around the case with the case selected', () => {
  const { state, notices } = timelineState.read(timelineAround(CASE));
  expect(state).toMatchObject({
    window: { start: 985_000, end: 1_025_000 },
    area: { start: CASE.t, end: CASE.end },
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
