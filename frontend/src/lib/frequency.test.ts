import { expect, test } from 'vitest';
import { frequencyText } from './frequency';

test.each([
  [4_800_000, '4.8\u202fGHz'],
  [2_394_375, '2.394\u202fGHz'],
  [800_000, '800\u202fMHz'],
  [32, '32\u202fkHz'],
])('%i kHz is said as %s', (kHz, text) => {
  expect(frequencyText(kHz)).toBe(text);
});
