import { expect, test } from 'vitest';
import { wakingOf } from './waking';

const event = (name: string, pid: number, cpu = 0) => ({ event: name, args: { pid }, cpu });

test('the waking counts before the wakeup, and only of the task that is meant', () => {
  const events = [
    event('sched_wakeup', 7, 1),
    event('sched_waking', 8),
    event('sched_waking', 7, 2),
    event('sched_switch', 7),
  ];
  expect(wakingOf(events, 7)).toBe(events[2]);
  expect(wakingOf(events, 9)).toBeUndefined();
  expect(wakingOf([event('sched_wakeup_new', 7)], 7)?.event).toBe('sched_wakeup_new');
});
