import { expect, test } from 'vitest';
import { shareTicks } from './shareTicks';

function check(window: [number, number], labels: readonly string[]) {
  const { at } = shareTicks(2000)({ start: window[0], end: window[1] }, 480);
  expect(at.map((tick) => tick.label.replace('\u202f', ''))).toEqual(labels);
}

test('the whole is a hundred per cent', () => check([0, 2000], ['', '20%', '40%', '60%', '80%', '']));
test('deep in it there are fractions', () =>
  check([1000, 1010], ['', '50.1%', '50.2%', '50.3%', '50.4%', '']));
