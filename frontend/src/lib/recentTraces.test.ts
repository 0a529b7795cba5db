// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest';
import { recentTraces, rememberTrace } from './recentTraces';

afterEach(() => window.localStorage.clear());

test('the trace that was opened last comes first, once', () => {
  for (const id of ['a', 'b', 'a', 'c']) rememberTrace(id);
  expect(recentTraces()).toEqual(['c', 'a', 'b']);
  for (let at = 0; at < 30; at += 1) rememberTrace(`t${at}`);
  expect(recentTraces()).toHaveLength(20);
  expect(recentTraces()[0]).toBe('t29');
});

test.each(['{', '7', '{"a":1}', '[1,null]'])('what others stored there is no list: %s', (text) => {
  window.localStorage.setItem('jitterscope.recent', text);
  expect(recentTraces()).toEqual([]);
});
