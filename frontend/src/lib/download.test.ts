import { expect, test } from 'vitest';
import { csvText } from './download';

test.each([
  [['CPU 0', '1200'], 'CPU 0,1200\r\n'],
  [['a,b', 'say "so"', 'two\nlines'], '"a,b","say ""so""","two\nlines"\r\n'],
  [['=1+1', '@x', '+y', '-z'], "'=1+1,'@x,'+y,'-z\r\n"],
])('%j', (cells, expected) => expect(csvText([cells])).toBe(expected));
