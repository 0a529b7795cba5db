import { expect, test } from 'vitest';
import { casePieces, culprits } from './latePart';

const link = (sentence: string) => ({
  start: 0,
  duration_ns: 18_912_640,
  subject: null,
  sentence,
  is_late: true,
  deeper: null,
});

test.each([
  ['no record of what ran for 18.913 ms', 'no record of what ran'],
  ['CPU 0 stood still for 1,200 s', 'CPU 0 stood still'],
  ['the wakeup and the switch themselves took 12 µs', 'the wakeup and the switch themselves'],
  ['no record of what woke hog-170', 'no record of what woke hog-170'],
  ['waits for 3 tasks', 'waits for 3 tasks'],
])('%s is named without its length, which stands behind it', (sentence, name) => {
  const piece = casePieces({ t: 0, end: 20_000_000, stages: [], why: [link(sentence)] }).at(-1);
  expect(piece).toMatchObject({ name, length: '18.913\u202fms' });
});

const about = (
  kind: string,
  name: string,
  pid: number | null,
  links: NonNullable<Parameters<typeof culprits>[0]['why']> = [],
  isLate = true,
) => ({
  ...link('behind it'),
  is_late: isLate,
  subject: { kind, name, pid },
  deeper: links.length > 0 ? { links } : null,
});

test('the culprits are what the late part is about, and what that waited for in its turn', () => {
  const why = [
    about('task', 'ktimers/1-34', 34, [
      about('task', 'hog-372', 372),
      about('interrupt', 'eth0', null, [], false),
    ]),
    about('softirq', 'NET_RX', null, [], false),
  ];
  expect(culprits({ pid: 471, why })).toEqual({ pids: new Set([34, 372]), handlers: new Set() });
  expect(culprits({ pid: 34, why: [about('interrupt', 'local_timer', null)] })).toEqual({
    pids: new Set(),
    handlers: new Set(['local_timer']),
  });
  expect(culprits({ pid: 34, why: [about('task', 'ktimers/1-34', 34)] }).pids.size).toBe(0);
});
