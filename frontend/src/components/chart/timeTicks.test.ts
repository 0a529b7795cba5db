import { expect, test } from 'vitest';
import { shareTicks, ticksOf, timeTicks } from './timeTicks';

function check(window: [number, number], width: number, labels: readonly string[], base?: string) {
  const ticks = timeTicks({ start: window[0], end: window[1] }, width);
  expect(ticks.at.map((tick) => tick.label.replace('\u202f', ' '))).toEqual(labels);
  expect(ticks.base?.replace('\u202f', ' ')).toBe(base);
}

test('a whole trace counts in the unit that people say', () => {
  check([0, 2_163_000_000], 500, ['', '0.5 s', '1 s', '1.5 s', '2 s']);
  check([0, 400_000], 500, ['', '100 µs', '200 µs', '300 µs']);
});

test('a label of which the edge would cut a letter is left out', () => {
  check([60_591_548, 60_700_000], 275, ['', '60.65 ms', '60.7 ms'].slice(0, 2));
});

test('deep in a trace the labels count from a base', () =>
  check([2_160_118_900, 2_160_119_900], 400, ['+119 µs', '+119.5 µs'], '2.16 s'));

test('a window of a few nanoseconds has ticks on whole nanoseconds', () =>
  check([5, 8], 1_000, ['', '6 ns', '7 ns']));

function checkShares(window: [number, number], labels: readonly string[]) {
  const { at } = shareTicks(2000)({ start: window[0], end: window[1] }, 480);
  expect(at.map((tick) => tick.label.replace('\u202f', ''))).toEqual(labels);
}

test('the whole is a hundred per cent', () => checkShares([0, 2000], ['', '20%', '40%', '60%', '80%', '']));
test('deep in it there are fractions', () =>
  checkShares([1000, 1010], ['', '50.1%', '50.2%', '50.3%', '50.4%', '']));

test('a plot on a phone has as many labels as fit, and more than one', () => {
  check([0, 2_163_000_000], 260, ['', '0.5 s', '1 s', '1.5 s', '']);
});

test('a plot that is not measured yet has few ticks', () => {
  expect(timeTicks({ start: 0, end: 3_600e9 }, 1).at.length).toBeLessThan(10);
});

const stepLabels = (start: number, end: number) =>
  ticksOf({ isCounting: true })({ start, end }, 500).at.map(({ label }) => label);

test('a clock that counts has bare numbers, which no base shortens, and says once what they are', () => {
  expect(ticksOf({ isCounting: true })({ start: 0, end: 2_339 }, 500).unit).toBe('clock ticks');
  expect(stepLabels(0, 2_339)).toEqual(['', '500', '1,000', '1,500', '2,000']);
  expect(stepLabels(2_001, 2_006)).toEqual(['', '2,002', '2,003', '2,004', '2,005']);
});
