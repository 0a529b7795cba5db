import { expect, test } from 'vitest';
import { CASE } from '../../api/latencies.fixture';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { caseMarks, homeWindow } from './caseMarks';

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
