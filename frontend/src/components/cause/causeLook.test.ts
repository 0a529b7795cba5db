import { expect, test } from 'vitest';
import { symbolColour, taskColour } from '../../lib/colour';
import { causeColour, causeName, drawnCause } from './causeLook';

test.each([
  ['task', 'hackbench-412', taskColour('hackbench', 'dark', 412)],
  ['task', 'hackbench-412 prio 120', taskColour('hackbench', 'dark', 412)],
  ['itself', 'my-task-7-9', taskColour('my-task-7', 'dark', 9)],
  ['itself', 'sched_tick', symbolColour('sched_tick', 'dark')],
  ['itself', '', undefined],
  ['task', '9 others', undefined],
  ['task', 'ksoftirqd/0-12', undefined],
  ['irq', 'local_timer', undefined],
])('%s %s is coloured as on the timeline', (cause, what, colour) => {
  expect(causeColour(cause, what, 'dark')).toBe(colour);
});

test('a cause that is not known yet keeps its own name', () => {
  expect([causeName('irqsoff'), causeName('steal')]).toEqual(['interrupts off', 'steal']);
});

test.each([
  ['noise', 'irq local_timer:236', 'irq', 'local_timer:236'],
  ['noise', 'thread sleep-373', 'task', 'sleep-373'],
  ['noise', 'irq', 'noise', 'irq'],
  ['task', 'irq 7-12', 'task', 'irq 7-12'],
])('%s by %s is drawn as %s', (cause, what, drawn, name) => {
  expect(drawnCause(cause, what)).toEqual({ cause: drawn, what: name });
});
