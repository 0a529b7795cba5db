import { expect, it } from 'vitest';
import { parseSearch, printSearch } from './search';

it('keeps texts as they are', () => {
  expect(parseSearch('?v=1&q=1e400&cpu=0,1&q=second')).toEqual({ v: '1', q: '1e400', cpu: '0,1' });
  expect(printSearch({ v: '1', q: 'a b&c=<d>', cpu: '0,1', label: 'board:qemu', event: 'cpu1@5' })).toBe(
    '?v=1&q=a+b%26c%3D%3Cd%3E&cpu=0,1&label=board:qemu&event=cpu1@5',
  );
  expect(printSearch({})).toBe('');
});

it('goes round', () => {
  const raw = { v: '1', q: '⌘ %2C + , & = #', window: '1-2' };
  expect(parseSearch(printSearch(raw))).toEqual(raw);
});

it('does not let a link reach into objects', () => {
  const raw = parseSearch('?__proto__=x&constructor=y');
  expect(Object.getPrototypeOf(raw)).toBe(Object.prototype);
  expect(Object.keys(raw)).toEqual(['__proto__', 'constructor']);
});
