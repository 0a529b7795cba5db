import { expect, it } from 'vitest';
import {
  chosenCount,
  isChosen,
  NOTHING,
  pageToggled,
  selectionBody,
  stretched,
  toggled,
  type Selection,
} from './selection';

const ROWS = ['a', 'b', 'c', 'd', 'e'];
const ALL: Selection = { kind: 'matching', except: new Set(), total: 1203, asOf: '2026-01-01T00:00:00Z' };

const chosen = (selection: Selection) => ROWS.filter((id) => isChosen(selection, id)).join('');

it('toggles one row', () => {
  const one = toggled(NOTHING, 'b');
  expect(chosen(one)).toBe('b');
  expect(chosen(toggled(one, 'b'))).toBe('');
});

it('chooses a stretch in either direction, and takes it back', () => {
  expect(chosen(stretched(toggled(NOTHING, 'b'), ROWS, 'd'))).toBe('bcd');
  expect(chosen(stretched(toggled(NOTHING, 'd'), ROWS, 'b'))).toBe('bcd');
  const two = toggled(stretched(toggled(NOTHING, 'a'), ROWS, 'e'), 'b');
  expect(chosen(stretched(two, ROWS, 'd'))).toBe('ae');
});

it('chooses the row alone where a stretch has no start', () => {
  expect(chosen(stretched(NOTHING, ROWS, 'd'))).toBe('d');
  expect(chosen(stretched(toggled(NOTHING, 'gone'), ROWS, 'd'))).toBe('d');
});

it('chooses all rows of the page, or none', () => {
  const page = pageToggled(toggled(NOTHING, 'c'), ROWS);
  expect(chosen(page)).toBe('abcde');
  expect(chosen(pageToggled(page, ROWS))).toBe('');
  expect(chosen(pageToggled(ALL, ROWS))).toBe('');
});

it('leaves out what is taken out of all that match', () => {
  const most = toggled(toggled(ALL, 'b'), 'd');
  expect(chosen(most)).toBe('ace');
  expect(chosenCount(most)).toBe(1201);
  expect(chosenCount(toggled(most, 'b'))).toBe(1202);
  expect(selectionBody(most, { q: 'rt', label: 'run:1' })).toEqual({
    matching: { q: 'rt', label: ['run:1'], as_of: '2026-01-01T00:00:00Z', except_ids: ['b', 'd'] },
  });
});

it('names the rows that were chosen one by one', () => {
  expect(selectionBody(toggled(NOTHING, 'b'), { q: 'rt', label: '' })).toEqual({ ids: ['b'] });
});
