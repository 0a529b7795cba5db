import { expect, test } from 'vitest';
import { PALETTES } from '../../lib/palette';
import type { Brush } from './brush';
import { laneInks } from './painter';
import { scenePainters } from './lanePainters';
import { laneTexts } from './laneTexts';
import { buildScene, type LaneRow } from './laneScene';

/** Everything that the rows have painted, one stroke a text: 100 pixels show 100 units of x. */
function strokes(rows: readonly LaneRow[], showsShares = true, name = 'kernel_function'): readonly string[] {
  const done: string[] = [];
  let ink = '';
  const brush: Brush = {
    colour: (colour) => {
      ink = colour;
    },
    rect: (x, y, width, height) => done.push(`rect ${ink} ${[x, y, width, height].join(' ')}`),
    text: (text) => done.push(`text ${ink} ${text}`),
    halo: (text) => done.push(`halo ${ink} ${text}`),
    lines: (points) => done.push(`lines ${ink} ${points.length / 4}`),
  };
  const scene = buildScene({ rows, fills: ['red', 'blue'], texts: [name], showsShares });
  const view = { x: 0, y: 0, width: 100, height: 100, start: 0, scale: 1, scroll: 0 };
  const inks = laneInks(PALETTES.dark);
  for (const paint of [...scenePainters(scene, inks), laneTexts(scene, inks)]) paint(brush, view);
  return done;
}

const row = (items: LaneRow['items'], hatchPx?: number): LaneRow => ({
  id: 'row',
  label: '',
  height: 18,
  items,
  ...(hatchPx !== undefined && { hatchPx }),
});

const { onSlice, text, ground } = PALETTES.dark;

test('an item is filled, with its name as far as it fits, in a halo of its colour', () => {
  expect(strokes([row({ start: [10], duration: [60], fill: [0], text: [0] })])).toEqual([
    'rect red 10 1 59.25 16',
    'halo red kernel…',
    `text ${onSlice} kernel…`,
  ]);
});

test('a name is not cut in the middle of a character', () => {
  const laugh = '😀😀😀😀';
  expect(strokes([row({ start: [0], duration: [38], fill: [0], text: [0] })], true, laugh).at(-1)).toBe(
    `text ${onSlice} 😀…`,
  );
});

test('of overlapping items the longest keeps its name, and those beside it theirs', () => {
  const items = { start: [0, 5, 50], duration: [30, 60, 50], fill: [0, 0, 0], text: [0, 0, 0] };
  expect(strokes([row(items)]).filter((stroke) => stroke.startsWith('text'))).toEqual([
    `text ${onSlice} kernel…`,
  ]);
  const apart = { start: [0, 5, 66], duration: [30, 60, 34], fill: [0, 0, 0], text: [0, 0, 0] };
  expect(strokes([row(apart)]).filter((stroke) => stroke.startsWith('text'))).toEqual([
    `text ${onSlice} kernel…`,
    `text ${onSlice} ke…`,
  ]);
});

test('a hatched item has edges, lines, and a plate under its name', () => {
  expect(strokes([row({ start: [10], duration: [60], fill: [0], text: [0] }, 4)])).toEqual([
    'rect red 10 1 1 16',
    'rect red 69 1 1 16',
    'rect red 10 1 60 1',
    'rect red 10 16 60 1',
    'lines red 19',
    expect.stringMatching(new RegExp(`^rect ${ground} 12 2 `)),
    `text ${text} ker…`,
  ]);
});

test('a hatched item without room for lines still leaves a mark', () => {
  expect(strokes([row({ start: [10], duration: [0], fill: [0] }, 4)])).toEqual(['rect red 10 1 1 16']);
});

test('items of one row can be filled, hatched and outlined, with bars inside', () => {
  const items = {
    start: [0, 20, 40],
    duration: [20, 20, 2],
    fill: [0, 0, 0],
    look: ['filled', 'outlined', 'hatched'] as const,
    bar: [2, -1, 0],
  };
  expect(strokes([row(items)])).toEqual([
    'rect red 0 1 19.25 16',
    'rect red 20 1 1 16',
    'rect red 39 1 1 16',
    'rect red 20 1 20 1',
    'rect red 20 16 20 1',
    'rect red 40 1 2 16',
    `rect ${onSlice}99 0 15 19.25 2`,
    `rect ${onSlice}99 20 1 19.25 1`,
  ]);
});

/** Items of a width every so many units, from the left edge on. */
const everyFew = (step: number, width: number) => {
  const start = Array.from({ length: Math.floor(100 / step) }, (_, at) => at * step);
  return { start, duration: start.map(() => width), fill: start.map(() => 0) };
};

test('a few narrow items are drawn in full, many as high as they were busy', () => {
  expect(strokes([row(everyFew(10, 0.25))])).toContain('rect red 10 1 1 16');
  const crowded = strokes([row(everyFew(1, 0.25))]);
  expect(crowded).toHaveLength(100);
  expect(crowded).toContain('rect red 10 13 1 4');
  // As high as a bucket at least, where nothing took any time.
  expect(strokes([row(everyFew(1, 0))])).toContain('rect red 10 15 1 2');
});

test('a wide item among many narrow ones keeps its height', () => {
  const { start, duration, fill } = everyFew(1, 0.25);
  const items = { start, duration: duration.map((narrow, at) => (at === 40 ? 1 : narrow)), fill };
  expect(strokes([row(items)])).toContain('rect red 40 1 1 16');
});

test('a row beside one of shares shows its own, however few items it has', () => {
  const few = row(everyFew(10, 0.25));
  expect(strokes([few, row(everyFew(1, 0.25))])).toContain('rect red 10 13 1 4');
  const { start, duration, fill } = everyFew(1, 1);
  const summedUp = row({ start, duration, fill, level: start.map(() => 0.5) });
  expect(strokes([few, summedUp])).toContain('rect red 10 13 1 4');
  // What is wide enough to be seen keeps its height.
  const wide = row({ start: [10, 40], duration: [20, 0.25], fill: [0, 0] });
  expect(strokes([wide, summedUp])).toContain('rect red 20 1 1 16');
});

test('a crowded row of several colours stays as it is: together they fill it', () => {
  const items = everyFew(1, 0.75);
  const mixed = { ...items, fill: items.fill.map((_, at) => at % 2) };
  expect(strokes([row(mixed)])).toContain('rect red 10 1 1 16');
});

test('a crowded row of several colours that leave it empty is as high as it was busy', () => {
  const items = everyFew(1, 0.25);
  const mixed = { ...items, fill: items.fill.map((_, at) => at % 2) };
  expect(strokes([row(mixed)])).toEqual(
    expect.arrayContaining(['rect red 10 13 1 4', 'rect blue 11 13 1 4']),
  );
});

test('rows of other colours beside a crowded one are drawn in the same way, and those of a flame chart in full', () => {
  const few = everyFew(10, 0.25);
  const rows = [row(everyFew(1, 0.25)), row({ ...few, fill: few.fill.map(() => 1) })];
  expect(strokes(rows)).toContain('rect blue 10 31 1 4');
  expect(strokes(rows, false)).toEqual(
    expect.arrayContaining(['rect red 10 1 1 16', 'rect blue 10 19 1 16']),
  );
});

test('items are gone through a few times, however many colours there are', () => {
  let reads = 0;
  const colours = Array.from({ length: 100 }, (_, index) => `colour ${index}`);
  const fill = new Proxy(
    colours.map((_, index) => index),
    {
      get: (own, key, receiver) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
        return Reflect.get(own, key, receiver);
      },
    },
  );
  const items = { start: colours.map((_, index) => index), duration: colours.map(() => 1), fill };
  const scene = buildScene({ rows: [row(items)], fills: colours, texts: [] });
  scenePainters(scene, laneInks(PALETTES.dark));
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThan(10 * colours.length);
});
