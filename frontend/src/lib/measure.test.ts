import { expect, test } from 'vitest';
import { clockOf } from './clock';
import { measureOf, measureOfCase, unitOn } from './measure';

const plain = (text: string) => text.replaceAll('\u202f', ' ');

test('a time is said in the unit of people, a bare number as it is', () => {
  const said = [measureOf('ns'), measureOf('none')].map(({ text, exact, tick, title, name }) =>
    [text(9_656_000), exact(9_656_000), tick(20_000), tick(0), title(name)].map(plain),
  );
  expect(said).toEqual([
    ['9.656 ms', '9,656,000 ns', '20 µs', '0', 'duration (ns)'],
    ['9,656,000', '9,656,000', '20,000', '0', 'value'],
  ]);
});

test('steps of a clock that counts are no time', () => {
  const { text, exact, tick, title, name, axis } = measureOf(unitOn(clockOf('ticks')));
  expect([text(9_656_000), exact(1), title(name), axis].map(plain)).toEqual([
    '9,656,000 clock ticks',
    '1 clock tick',
    'duration (clock ticks)',
    'clock ticks',
  ]);
  expect([0, 999, 20_000, 1_500_000, 2_000_000_000].map((value) => plain(tick(value)))).toEqual([
    '0',
    '999',
    '20 k',
    '1.5 M',
    '2 G',
  ]);
});

test('only what an answer calls nanoseconds is in steps of the clock', () => {
  expect(measureOf('ns', clockOf('ticks')).text(2)).toBe('2 clock ticks');
  expect([unitOn(clockOf('ns')), unitOn(clockOf('ticks'), 'none'), unitOn(clockOf('ns'), 'none')]).toEqual([
    'ns',
    'none',
    'none',
  ]);
});

test('a case that says nothing of its unit is a length of time', () => {
  expect(measureOfCase({ duration_ns: 7 }).isTime).toBe(true);
  expect(measureOfCase({ duration_ns: 7, unit: 'none' }).isTime).toBe(false);
});

test('what is negative has a minus', () => {
  for (const unit of ['ns', 'ticks', 'none']) {
    const { text, tick, exact } = measureOf(unit);
    for (const value of [-1, -999, -20_000, -5_000_000]) {
      expect([text(value)[0], tick(value)[0], exact(value)[0]]).toEqual(['−', '−', '−']);
    }
  }
});
