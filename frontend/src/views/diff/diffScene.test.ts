import { expect, test } from 'vitest';
import { contrastRatio, type ThemeName } from '../../lib/colour';
import { clockOf, TIME } from '../../lib/clock';
import { PALETTES } from '../../lib/palette';
import { deltaStep, stepBar, stepColour, stepText } from './deltaScale';
import { columnDeltaText, deltaText, exactDelta } from './rowText';
import { columnsOf, DIFF } from './diff.fixture';
import { diffScene } from './diffScene';
import { treeOf } from './diffTree';
import { wallExtents } from './wallExtents';

const totals = { abnormal: 63_996, normal: 53_940 };
const theme = { name: 'dark' as const, palette: PALETTES.dark };

test('both sides stand above each other, and what only one has is drawn there alone', () => {
  const { rows } = treeOf(DIFF.rows);
  const { scene, boxes, firstNormal, endNs } = diffScene({
    rows,
    totals,
    colour: 'self',
    clock: TIME,
    theme,
    noiseFloorNs: 0,
    causes: new Set(),
    isNarrow: false,
  });
  expect(scene.rows.map(({ group, label }) => [group, label])).toEqual([
    ['abnormal', '63.996\u202fµs'],
    [undefined, ''],
    [undefined, ''],
    ['normal', '53.940\u202fµs'],
    [undefined, ''],
  ]);
  expect([firstNormal, endNs]).toEqual([3, 63_996]);
  expect(boxes.normal.has(3)).toBe(false);
  const extra = boxes.abnormal.get(3);
  const items = scene.rows[extra?.lane ?? -1]?.items;
  expect(items?.look).toEqual(['hatched']);
  expect(scene.fills[items?.fill[0] ?? -1]).toBe(PALETTES.dark.abnormal);
  expect(scene.texts[items?.text?.[0] ?? -1]).toBe('hrtimer_start_range_ns +7.505\u202fµs');
});

test('colours follow what a call lost itself, or in all', () => {
  const { rows } = treeOf(DIFF.rows);
  const barsOf = (colour: 'self' | 'total') =>
    diffScene({
      rows,
      totals,
      colour,
      clock: TIME,
      theme,
      noiseFloorNs: 0,
      causes: new Set(),
      isNarrow: false,
    }).scene.rows.slice(0, 2);
  expect(barsOf('self').map(({ items }) => items.bar)).toEqual([[0], [0, 2]]);
  expect(barsOf('total').map(({ items }) => items.bar)).toEqual([[2.5], [0, 2]]);
});

test('a call that an interrupt hit reaches from its start to its end', () => {
  const { rows } = treeOf(
    columnsOf(['root matched 0 50 50 0', 'hit matched 1 10 10 0', 'irq interrupt 1 20 20 0']),
  );
  const extents = wallExtents(rows, 'abnormal');
  // It began at 1 and ran for 10 ns, and the interrupt at 2 took 20 ns in between.
  expect(extents.get(1)).toEqual({ start: 1, end: 31 });
  expect(extents.get(2)).toEqual({ start: 2, end: 22 });
  expect(extents.get(0)).toEqual({ start: 0, end: 50 });
});

test('the scale is fixed, and the same for slower and faster', () => {
  expect([0, 99, 100, 1_999, 2_000, 50_000, 1e9].map(deltaStep)).toEqual([0, 0, 1, 2, 3, 5, 5]);
  expect([-99, -100, -60_000].map(deltaStep)).toEqual([0, -1, -5]);
  expect([1, 2, 3].map((step) => stepText(step))).toEqual(['100\u202fns', '500\u202fns', '2\u202fµs']);
  expect([-5, -1, 0, 1, 5].map(stepBar)).toEqual([-3, -1, 0, 1, 3]);
});

test.each<ThemeName>(['dark', 'light'])('names can be read on every step of the scale, %s', (name) => {
  for (let step = -5; step <= 5; step += 1) {
    // What is unchanged is near the ground, and takes its ink.
    const ink = step === 0 ? PALETTES[name].text : PALETTES[name].onSlice;
    const ratio = contrastRatio(ink, stepColour(step, name));
    expect(ratio).toBeGreaterThanOrEqual(4.5);
  }
});

test('noise recedes, and the cause outshines everything', () => {
  const { rows } = treeOf(
    columnsOf(['root matched 0 200 100 1', 'noise matched 1 900 700 200', 'cause matched 1 9000 1000 8000']),
  );
  const { scene } = diffScene({
    rows,
    totals: { abnormal: 9_900, normal: 1_700 },
    colour: 'self',
    noiseFloorNs: 250,
    causes: new Set([2]),
    clock: TIME,
    theme: { name: 'dark', palette: PALETTES.dark },
    isNarrow: false,
  });
  const [root, callees] = scene.rows;
  expect(root?.items.look).toEqual(['faint']);
  expect(callees?.items.look?.toSorted()).toEqual(['faint', 'filled']);
  expect(callees?.items.bar).toContain(0);
  expect(scene.fills).toContain(PALETTES.dark.late);
});

test('a cause that got faster is not late', () => {
  const { rows } = treeOf(columnsOf(['root matched 0 1000 9000 1', 'cause matched 1 1000 9000 -8000']));
  const { scene } = diffScene({
    rows,
    totals: { abnormal: 1_000, normal: 9_000 },
    colour: 'self',
    noiseFloorNs: 250,
    causes: new Set([1]),
    clock: TIME,
    theme: { name: 'dark', palette: PALETTES.dark },
    isNarrow: false,
  });
  expect(scene.fills).not.toContain(PALETTES.dark.late);
});

test('differences have their sign, and stand below each other', () => {
  expect([10_056, -391, 0].map((delta) => deltaText(delta))).toEqual([
    '+10.06\u202fµs',
    '−391\u202fns',
    '0\u202fns',
  ]);
  expect([10_056, -391, 0].map((delta) => columnDeltaText(delta, 'µs'))).toEqual([
    '+10.056',
    '−0.391',
    '0.000',
  ]);
});

test('of a clock that only counts, nothing has a unit of time', () => {
  const { rows } = treeOf(DIFF.rows);
  const { scene } = diffScene({
    rows,
    totals,
    colour: 'self',
    clock: STEPS,
    theme,
    noiseFloorNs: 0,
    causes: new Set(),
    isNarrow: false,
  });
  expect(scene.rows[0]?.label).toBe('63,996');
  expect(scene.texts).toContain('hrtimer_start_range_ns +7,505');
  expect([deltaText(-391, STEPS), exactDelta(10_056, STEPS)]).toEqual([
    '−391 clock ticks',
    '+10,056 clock ticks',
  ]);
  expect([1, 3].map((step) => stepText(step, STEPS))).toEqual(['100', '2,000']);
});

const STEPS = clockOf('ticks');
