import { expect, test } from 'vitest';
import { taskStateText } from './taskState';

test.each([
  ['R+', 'R+, preempted while running'],
  ['R', 'R, runnable'],
  ['D|K', 'D|K, uninterruptible sleep'],
  ['0x402', '0x402'],
])('%s', (state, text) => expect(taskStateText(state)).toBe(text));
