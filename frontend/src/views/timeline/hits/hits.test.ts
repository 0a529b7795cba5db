import { expect, test } from 'vitest';
import { filterOfTask, tickPath } from './hitTicks';
import { hitText } from './useHits';

const cells = (t: readonly number[], counts: readonly number[], duration = 10) => ({
  cpu: 0,
  count: 0,
  t,
  counts,
  duration_ns: t.map(() => duration),
});

test('a tick is drawn where its cell is, is at least a pixel wide, and higher with more matches', () => {
  const path = tickPath(cells([0, 500, 990], [1, 4, 1_000_000]), { start: 0, end: 1_000 }, 100);
  expect(path).toBe('M0 0h1v4h-1zM50 0h1v5h-1zM99 0h1v8h-1z');
  expect(tickPath(cells([500], [1], 100), { start: 0, end: 1_000 }, 100)).toBe('M50 0h10v4h-10z');
});

test('cells outside the window are not drawn', () => {
  expect(tickPath(cells([0, 900], [1, 1]), { start: 400, end: 500 }, 100)).toBe('');
});

const matches = (count: number, isComplete = true) => ({ count, cpus: [], isComplete });

test('says how many match, and that there may be more', () => {
  expect(hitText(matches(1_204), matches(37))).toBe('1,204 events match, 37 in view');
  expect(hitText(matches(1), matches(0))).toBe('1 event matches, 0 in view');
  expect(hitText(matches(5_000, false), matches(3))).toBe('at least 5,000 events match, 3 in view');
  expect(hitText(undefined, undefined)).toBe('counting …');
});

test('a filter is narrowed to a task as long as the server takes it', () => {
  expect(filterOfTask('event:sched_waking', 369)).toBe('event:sched_waking pid:369');
  expect(filterOfTask('a'.repeat(192), 369)).toBe(`${'a'.repeat(192)} pid:369`);
  expect(filterOfTask('a'.repeat(193), 369)).toBeUndefined();
});
