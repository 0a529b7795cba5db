import { expect, test } from 'vitest';
import { parseCpuList } from './Toolbar';

test.each([
  ['0-2,8', [0, 1, 2, 8]],
  [' 2 , 2-3 ', [2, 3]],
  ['99', []],
  ['all', []],
  ['', []],
  ['0-9', []],
])('%j names %j', (text, expected) => expect(parseCpuList(text, [0, 1, 2, 3, 8])).toEqual(expected));
