import { expect, it } from 'vitest';
import { sentenceText, visibleText } from './visibleText';

it.each([
  ['plain <b>text</b> stays', 'plain <b>text</b> stays'],
  ['\u001b[31mred\u0007', '\\x1b[31mred\\x07'],
  ['a\tb\nc\r', 'a\\tb\\nc\\r'],
  ['\u0000', '\\x00'],
  ['evil\u202egpj.exe', 'evil\\u{202e}gpj.exe'],
  ['zero\u200bwidth', 'zero\\u{200b}width'],
  ['\ud800', '\\u{d800}'],
  ['größer 日本 🙂', 'größer 日本 🙂'],
])('%j is shown as %s', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

it('keeps a number on one line with its unit, or with what it numbers, and nothing else', () => {
  const shown = sentenceText('CPU 1 took 4.2 µs of 5 ms: 3 msleep (nice -5), 10 % of it');
  expect(shown).toBe('CPU\u00a01 took 4.2\u00a0µs of 5\u00a0ms: 3 msleep (nice\u00a0-5), 10\u00a0% of it');
});
