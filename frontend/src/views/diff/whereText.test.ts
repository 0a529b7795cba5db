import { expect, it } from 'vitest';
import type { Contribution } from '../../api/diff';
import { DIFF } from './diff.fixture';
import { whereText } from './whereText';

const [extra] = DIFF.contributions.only_one_side;

const textOf = (part: Partial<Contribution>) => extra && whereText({ ...extra, ...part }, 'events');

const seenIn = (abnormal: number, normal: number) => ({
  abnormal: { seen: abnormal, of: 10 },
  normal: { seen: normal, of: 13 },
});

it('says what of a contribution the other side has', () => {
  expect(textOf({})).toBe('under enqueue_task_rt');
  expect(textOf({ repeat: 'more', count: 4 })).toBe(
    'more often than in the normal instance · under enqueue_task_rt · 4 events',
  );
  expect(textOf({ seen: seenIn(9, 0) })).toBe('under enqueue_task_rt · in 9 of 10 · normally in 0 of 13');
});

it('does not take the median instance of a set for all of them', () => {
  expect(textOf({ seen: seenIn(9, 2), under: null })).toBe(
    'missing from the median normal instance · in 9 of 10 · normally in 2 of 13',
  );
  expect(textOf({ seen: seenIn(1, 13), under: null, delta_ns: -5 })).toBe(
    'missing from the median abnormal instance · in 1 of 10 · normally in 13 of 13',
  );
});
