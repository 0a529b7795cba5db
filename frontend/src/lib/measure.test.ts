import { expect, test } from 'vitest';
import { measureOf, measureOfCase } from './measure';

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

test('a case that says nothing of its unit is a length of time', () => {
  expect(measureOfCase({ duration_ns: 7 }).isTime).toBe(true);
  expect(measureOfCase({ duration_ns: 7, unit: 'none' }).isTime).toBe(false);
});

test('what is negative has a minus', () => {
  for (const unit of ['ns', 'none']) {
    const { text, tick, exact } = measureOf(unit);
    for (const value of [-1, -999, -20_000, -5_000_000]) {
      expect([text(value)[0], tick(value)[0], exact(value)[0]]).toEqual(['−', '−', '−']);
    }
  }
});
