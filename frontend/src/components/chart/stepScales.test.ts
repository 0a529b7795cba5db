import { expect, test } from 'vitest';
import { PALETTES } from '../../lib/palette';
import { buildScene } from './laneScene';
import { laneInks } from './painter';
import { stepScales } from './stepScales';

const nothing = () => undefined;

function check(height: number, expected: readonly (readonly [string, number])[]) {
  const texts: [string, number][] = [];
  const steps = { at: [0], value: [5], min: 0, max: 9, minText: '0', maxText: '9 kHz', fill: 0, line: 0 };
  const rows = [{ id: 'row', label: '', height, items: { start: [], duration: [], fill: [] }, steps }];
  const view = { x: 100, y: 24, width: 100, height: 100, start: 0, scale: 1, scroll: 0 };
  stepScales(buildScene({ rows, fills: ['red'], texts: [] }), laneInks(PALETTES.dark))(
    {
      colour: nothing,
      rect: nothing,
      lines: nothing,
      halo: nothing,
      text: (text, _, y) => texts.push([text, y]),
    },
    view,
  );
  expect(texts).toEqual(expected);
}

test('a step function has its scale in one line, or at both edges of a row that has the room', () => {
  check(18, [['0–9 kHz', 33]]);
  check(40, [
    ['9 kHz', 32],
    ['0', 56],
  ]);
});
