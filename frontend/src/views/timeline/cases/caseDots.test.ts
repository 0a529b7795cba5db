import { expect, test } from 'vitest';
import { CYCLIC } from '../../../api/latencies.fixture';
import { currentDot, kindOfCase, placeDots } from './caseDots';

const item = (id: string, t: number, duration_ns: number) => ({
  ...CYCLIC,
  id,
  t,
  end: t + duration_ns,
  duration_ns,
});

const ITEMS = [item('late', 900, 1_000), item('first', 100, 10), item('middle', 500, 100)];
const WINDOW = { start: 0, end: 1_000 };

const ids = (start: number, end: number) => placeDots(ITEMS, { start, end }).map(({ item: { id } }) => id);

test('dots stand where their cases began, and as high as they are long by equal factors', () => {
  const dots = placeDots(ITEMS, WINDOW);
  expect(dots.map(({ item: { id }, at }) => [id, at])).toEqual([
    ['first', 0.1],
    ['middle', 0.5],
    ['late', 0.9],
  ]);
  expect(dots.map(({ level }) => level)).toEqual([0, expect.closeTo(0.5), 1]);
});

test('where dots overlap, the worse one is on top', () => {
  const close = [item('worst', 500, 9_000), item('mild', 501, 10), item('worse', 502, 800)];
  const byRank = placeDots(close, WINDOW).toSorted((a, b) => a.rank - b.rank);
  expect(byRank.map(({ item: { id } }) => id)).toEqual(['mild', 'worse', 'worst']);
});

test('a window has the dots of the cases that began in it', () => {
  expect(ids(100, 500)).toEqual(['first']);
  expect(ids(101, 501)).toEqual(['middle']);
  expect(ids(2_000, 3_000)).toEqual([]);
});

test('what began before the first record has its dot there', () => {
  const dots = placeDots([item('early', -64, 12_000)], WINDOW);
  expect(dots.map(({ at }) => at)).toEqual([0]);
});

test.each([[[item('alone', 5, 0)]], [[item('one', 5, 7), item('other', 9, 7)]]])(
  'where none is longer, all are at the top',
  (items) => expect(placeDots(items, WINDOW).every(({ level }) => level === 1)).toBe(true),
);

test('Tab leads to the opened case, else to the longest', () => {
  const dots = placeDots(ITEMS, WINDOW);
  expect(currentDot(dots, 'middle')).toBe('middle');
  expect(currentDot(dots, 'elsewhere')).toBe('late');
  expect(currentDot([], 'middle')).toBeUndefined();
});

test.each([
  ['wakeup-473@14138728000', 'wakeup'],
  ['softirq_raise-cpu1@7', 'softirq_raise'],
  ['field.hrtimer_cb.delta-cpu6@1', 'field'],
  ['', ''],
])('the case %s is of the kind %s', (id, kind) => {
  expect(kindOfCase(id)).toBe(kind);
});
