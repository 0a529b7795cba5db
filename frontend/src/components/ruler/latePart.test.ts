import { expect, test } from 'vitest';
import { casePieces } from './latePart';

const link = (sentence: string) => ({
  start: 0,
  duration_ns: 18_912_640,
  mechanism: 'unknown',
  subject: null,
  sentence,
  deeper: null,
});

test.each([
  ['no record of what ran for 18.913 ms', 'no record of what ran'],
  ['CPU 0 stood still for 1,200 s', 'CPU 0 stood still'],
  ['the wakeup and the switch themselves took 12 µs', 'the wakeup and the switch themselves'],
  ['no record of what woke hog-170', 'no record of what woke hog-170'],
  ['waits for 3 tasks', 'waits for 3 tasks'],
])('%s is named without its length, which stands behind it', (sentence, name) => {
  const [piece] = casePieces({ t: 0, end: 20_000_000, stages: [], why: [link(sentence)] });
  expect(piece).toMatchObject({ name, length: '18.913\u202fms' });
});
