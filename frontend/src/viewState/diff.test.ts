import { expect, test } from 'vitest';
import { diffState } from './diff';
import { parseSearch, printSearch } from './search';

const check = (query: string) => {
  const { state, notices } = diffState.read(parseSearch(query));
  return { again: printSearch(diffState.write(state)), notices };
};

test('a comparison of two calls is the same link again', () => {
  const link =
    '?v=1&abnormal=abcdefghijkl/call-1213@2160118.3&normal=mnopqrstuvwx/call-cpu1@77.0&floor=500&row=17&window=0-64000';
  expect(check(link)).toEqual({ again: link, notices: [] });
});

test('a group of calls keeps its conditions', () => {
  const link = '?v=1&abnormal=abcdefghijkl/calls:do_IRQ%3Bcpu%3D1%3Bmin%3D50us&normal=all';
  expect(check(link)).toEqual({ again: link, notices: [] });
});

test('a median as the normal one is what a link means that names none', () => {
  expect(check('?abnormal=abcdefghijkl/wakeup-1213@5&normal=auto').again).toBe(
    '?v=1&abnormal=abcdefghijkl/wakeup-1213@5',
  );
});

test('a side that is none is left out with a word', () => {
  const { again, notices } = check('?abnormal=call-1213@5.0&normal=median');
  expect(again).toBe('');
  expect(notices).toEqual([
    expect.stringContaining('abnormal=call-1213@5.0, which is not a trace and one of its calls'),
    expect.stringContaining('normal=median, which is not auto, all, or a trace'),
  ]);
});
