import { expect, test } from 'vitest';
import { rankItems, type PaletteItem } from './rankItems';

const item = (kind: string, title: string, note = ''): PaletteItem => ({
  id: `${kind} ${title}`,
  kind,
  title,
  note,
  run: () => undefined,
});

const ITEMS = [
  item('action', 'Zoom out', 'Timeline'),
  item('action', 'Zoom in at the pointer', 'Timeline'),
  item('action', 'Switch between dark and light', 'Everywhere'),
  item('page', 'Timeline'),
  item('function', 'dl_zoom'),
  item('CPU', 'CPU 1'),
  item('CPU', 'CPU 11'),
  item('task', 'cyclictest-372', 'rt 80'),
  item('task', 'kworker/1:2-34'),
  item('function', '__hrtimer_run_queues'),
];

const titles = (query: string) => rankItems(ITEMS, query).shown.map(({ item: { title } }) => title);

test.each([
  ['exact before longer', 'cpu 1', ['CPU 1', 'CPU 11']],
  ['letters in order', 'hrtrq', ['__hrtimer_run_queues']],
  ['words in any order', 'light dark', ['Switch between dark and light']],
  ['a beginning before the middle', 'zoom', ['Zoom out', 'Zoom in at the pointer', 'dl_zoom']],
  ['a kind and a name', 'task cyc', ['cyclictest-372']],
  ['a note', 'rt 80', ['cyclictest-372']],
  ['words of a title before words of a note', 'zoom in', ['Zoom in at the pointer']],
  ['a title before a note', 'timeline', ['Timeline', 'Zoom out']],
])('%s', (_, query, expected) => {
  expect(titles(query).slice(0, expected.length)).toEqual(expected);
});

test('what is of the open trace comes before what is elsewhere, unless that begins so and it does not', () => {
  const near = (kind: string, title: string, note = '') => ({ ...item(kind, title, note), isNear: true });
  const items = [
    item('trace', 'cyclictest under load'),
    item('trace', 'cyclictest stopped at its worst case'),
    item('function', 'worst_of'),
    near(
      'case',
      'cyclictest-372 on CPU 1 woke 1.979 ms late: CPU 1 stood still twice',
      'worst cyclic 1.979 ms',
    ),
    near('task', 'cyclictest-371'),
  ];
  const kinds = (query: string) => rankItems(items, query).shown.map(({ item: { kind } }) => kind);
  expect(kinds('cyclic').slice(0, 2).toSorted()).toEqual(['case', 'task']);
  expect(kinds('worst')).toEqual(['function', 'case', 'trace']);
});

test('cases of the open trace that match as well stay in their order', () => {
  const items = ['cyclictest-372 on CPU 1 woke 3.157 ms late', 'cyclictest-371 woke 1.600 ms late'].map(
    (title) => ({
      ...item('case', title),
      isNear: true,
    }),
  );
  const shown = rankItems(items, 'cyclictest').shown.map(({ item: { title } }) => title);
  expect(shown).toEqual(items.map(({ title }) => title));
});

test('nothing typed shows all as they come', () => {
  expect(titles('  ')).toEqual(ITEMS.map(({ title }) => title));
});

test('what has not all the letters is left out', () => {
  expect(titles('zzz')).toEqual([]);
});

test('the pieces of a title are the title, and the matched ones what was typed', () => {
  for (const query of ['cpu 1', 'hrtrq', 'zout', 'cyclic']) {
    for (const { item: found, pieces } of rankItems(ITEMS, query).shown) {
      expect(pieces.map(({ text }) => text).join('')).toBe(found.title);
      const matched = pieces.flatMap(({ text, isMatch }) => (isMatch ? [text] : [])).join('');
      const letters = query.replaceAll(' ', '');
      expect(['', letters]).toContain(matched.replaceAll(' ', '').toLowerCase());
    }
  }
});

test('shows no more than can be read, and counts the rest', () => {
  const many = Array.from({ length: 500 }, (_, at) => item('task', `hackbench-${at}`));
  expect(rankItems(many, 'hackbench').shown.length).toBe(60);
  expect(rankItems(many, 'hackbench').total).toBe(500);
  expect(rankItems(many, '').total).toBe(500);
});

test('a name made to be slow is not', () => {
  const hostile = Array.from({ length: 200 }, (_, at) => item('task', 'a'.repeat(5_000) + at));
  const began = performance.now();
  rankItems(hostile, `${'a'.repeat(60)}b`);
  rankItems(hostile, 'a '.repeat(60));
  expect(performance.now() - began).toBeLessThan(2_000);
});
