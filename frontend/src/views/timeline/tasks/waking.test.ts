import { expect, test } from 'vitest';
import { arrowRows, wakingOf } from './waking';

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

test('an arrow joins the first row of the CPU with the first of the task', () => {
  const lanes = [
    { cpu: null, pid: 7, depth: 0 },
    { cpu: null, pid: 7, depth: 1 },
    { cpu: 0, depth: 0 },
    { cpu: 1, depth: 0 },
    { cpu: 1, depth: 0 },
    { cpu: null, depth: 0 },
  ];
  expect(arrowRows(lanes, 1, 7)).toEqual({ from: 3, to: 0 });
  expect(arrowRows(lanes, 2, 7)).toBeUndefined();
  expect(arrowRows(lanes, null, 7)).toBeUndefined();
  expect(arrowRows(lanes, 1, 8)).toBeUndefined();
});
