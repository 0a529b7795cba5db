import { expect, test } from 'vitest';
import { unrecordedNs } from './unrecorded';

test.each([
  [-391, 2_391, 391],
  [-5_000, 2_391, 2_391],
  [0, 2_391, 0],
  [12_000, 2_391, 0],
])('of what begins at %i and lasts %i ns, %i ns are before the first record', (start, duration, before) => {
  expect(unrecordedNs(start, duration)).toBe(before);
});
