// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';
import { readStored, store } from './stored';

afterEach(() => {
  vi.restoreAllMocks();
  window.localStorage.clear();
});

test('what is stored is read again, until it is taken back', () => {
  store('jitterscope.test', 'yes');
  expect(readStored('jitterscope.test')).toBe('yes');
  store('jitterscope.test', undefined);
  expect(readStored('jitterscope.test')).toBeUndefined();
});

test('a browser that forbids storage remembers nothing, and the page goes on', () => {
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  store('jitterscope.test', 'yes');
  expect(readStored('jitterscope.test')).toBeUndefined();
});
