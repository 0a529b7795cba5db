import { expect, test } from 'vitest';
import { readLink } from './sideLink';

test.each([
  ['http://localhost/t/abcdefghijkl/calls?v=1&window=5-9&call=call-1213@2160118.3', 'call-1213@2160118.3'],
  ['https://jitter.example/t/abcdefghijkl/cases/wakeup-1213@2563694114000', 'wakeup-1213@2563694114000'],
  ['http://localhost/t/abcdefghijkl/cases/field.hrtimer_cb.delta-%2B1@5', 'field.hrtimer_cb.delta-+1@5'],
  [' abcdefghijkl/call-cpu1@77.0\n', 'call-cpu1@77.0'],
])('%s', (text, id) => expect(readLink(text)).toEqual({ trace: 'abcdefghijkl', id }));

test.each([
  '',
  'call-cpu1@77.0',
  'http://localhost/t/abcdefghijkl/calls',
  'http://localhost/t/abcdefghijkl/calls?call=7',
  'http://localhost/t/abcdefghijkl/timeline',
  'javascript:alert(1)',
])('"%s" leads to none', (text) => expect(readLink(text)).toBeUndefined());
