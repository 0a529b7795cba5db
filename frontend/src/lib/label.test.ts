import { expect, it } from 'vitest';
import { labelText, readLabel } from './label';

it.each([
  ['board=rpi5', 'board', 'rpi5'],
  [' kernel : 6.12-rt ', 'kernel', '6.12-rt'],
  ['job=https://ci/1?a=b', 'job', 'https://ci/1?a=b'],
])('reads %j', (typed, name, value) => {
  expect(readLabel(typed)).toEqual({ name, value });
});

it.each(['board', '=x', 'board=', '__proto__=x', 'with space=x', `a=${'x'.repeat(201)}`])(
  'says what is wrong with %s',
  (typed) => {
    expect(readLabel(typed)).toMatch(/label/);
  },
);

it('shows a label of an address as all others are', () => {
  expect(labelText('sample:yes')).toBe('sample=yes');
  expect(labelText('note:a:b=c')).toBe('note=a:b=c');
});
