import { expect, test } from 'vitest';
import { isRoomFor, pieceAt, pieceText, placePieces, type RulerPiece } from './rulerPieces';

const piece = (id: string, start: number, end: number, isLate = false): RulerPiece => ({
  id,
  start,
  end,
  name: `stage ${id}`,
  length: `${end - start} ns`,
  isLate,
});

const WAY = [piece('a', 100, 110), piece('b', 110, 190), piece('c', 190, 200), piece('late', 120, 180, true)];

test('pieces lie in proportion, and say as much as fits', () => {
  const placed = placePieces(WAY, { start: 100, end: 200 }, 500);
  expect(placed.map(({ id, left, width, text }) => [id, left, width, text])).toEqual([
    ['a', 0, 50, '10 ns'],
    ['b', 50, 400, ''],
    ['c', 450, 50, '10 ns'],
    ['late', 100, 300, 'stage late 60 ns'],
  ]);
});

test('pieces are cut at the window, and those outside of it are left out', () => {
  const placed = placePieces(WAY, { start: 150, end: 170 }, 200);
  expect(placed.map(({ id, left, width }) => [id, left, width])).toEqual([
    ['b', 0, 200],
    ['late', 0, 200],
  ]);
});

test('an instant can still be seen and pointed at', () => {
  const placed = placePieces([piece('now', 150, 150)], { start: 100, end: 200 }, 100);
  expect(placed[0]).toMatchObject({ left: 50, width: 1 });
  expect(pieceAt(placed, 48)?.id).toBe('now');
  expect(pieceAt(placed, 60)).toBeUndefined();
});

test('the late part lies over its stage', () => {
  const placed = placePieces(WAY, { start: 100, end: 200 }, 1_000);
  expect([50, 150, 500, 950].map((x) => pieceAt(placed, x)?.id)).toEqual(['a', 'b', 'late', 'c']);
});

test.each([
  ['ktimers/1-34', 'ktimers/1-34 5.427 ms'],
  ['CPU 0 stood still', 'CPU 0 stood still 5.427 ms'],
  ['CPU 0 was idle and took 5.4 ms to notice', 'CPU 0 was idle and took 5.4 ms to notice'],
  ['kworker/1s', 'kworker/1s 5.427 ms'],
])('%s says its length once', (name, text) => {
  expect(pieceText({ name, length: '5.427 ms' })).toBe(text);
});

test('a note is drawn where it fits behind the pieces', () => {
  expect([180, 120].map((px) => isRoomFor('the median of its kind', px))).toEqual([true, false]);
});
