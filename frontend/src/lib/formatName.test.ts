import { expect, it } from 'vitest';
import formats from '../../../docs/formats.md?raw';
import { FORMAT_NAMES, formatName, shortFormatName } from './formatName';

it('calls each format what the documentation calls it', () => {
  const rows = formats.matchAll(/^\| (?<name>[^|]+) \| `(?<format>\w+)` \|/gm);
  const documented = [...rows].map(({ groups }) => [groups?.['format'], groups?.['name']]);
  expect(documented.length).toBeGreaterThan(20);
  expect(Object.entries(FORMAT_NAMES)).toEqual(documented);
});

it('has a short name for a line of facts, and keeps a word that it does not know', () => {
  expect(shortFormatName('cyclictest_text')).toBe('cyclictest');
  expect(shortFormatName('rt_tests_json')).toBe('rt-tests --json');
  expect(formatName('toString')).toBe('toString');
});
