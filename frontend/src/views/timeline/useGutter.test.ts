import { expect, test } from 'vitest';
import { gutterFor } from './useGutter';

test('on a phone the names of the lanes leave most of the width to the lanes', () => {
  expect(gutterFor(1280)).toBe(160);
  expect(gutterFor(420)).toBeLessThan(0.27 * 420);
});
