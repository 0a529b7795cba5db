import { expect, test } from 'vitest';
import { priorityOf } from './priority';

test.each([
  [-1, 'deadline'],
  [0, 'rt 99'],
  [19, 'rt 80'],
  [98, 'rt 1'],
  [100, 'nice -20'],
  [120, 'nice 0'],
  [139, 'nice 19'],
])('the kernel’s %i is %s', (prio, text) => {
  expect(priorityOf(prio)).toEqual({ text, kernel: `prio ${prio}` });
});

test.each([99, 140, 1.5, null, undefined])('%s is no priority', (prio) => {
  expect(priorityOf(prio)).toBeUndefined();
});
