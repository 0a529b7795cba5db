import { expect, test } from 'vitest';
import { stratumField } from './stratum';

const field = stratumField();

test.each([
  ['cpu:1', { name: 'cpu', value: '1' }],
  ['pid:1213', { name: 'pid', value: '1213' }],
  ['comm:kworker/0:1', { name: 'comm', value: 'kworker/0:1' }],
  ['key:HI:TIMER', { name: 'key', value: 'HI:TIMER' }],
] as const)('%s names a part of the samples, and is printed as it was read', (text, stratum) => {
  expect(field.parse(text)).toEqual(stratum);
  expect(field.print(stratum)).toBe(text);
});

test.each(['', 'cpu:', 'cpu:x', 'pid:-1', 'board:rpi5', `comm:${'x'.repeat(513)}`])(
  '%s names none',
  (text) => {
    expect(field.parse(text)).toBeUndefined();
  },
);

test('all samples leave nothing in the address', () => {
  expect(field.print(undefined)).toBe('');
});
