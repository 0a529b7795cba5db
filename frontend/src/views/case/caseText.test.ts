import { expect, test } from 'vitest';
import { CASE, CHAIN } from '../../api/latencies.fixture';
import { caseText } from './caseText';

const text = caseText(
  { ...CASE, comm: 'a\nb' },
  { name: 'break', kernel: '6.12-rt' },
  'http://host/t/x/cases/y',
);

test('a mail has the headline first and the link last', () => {
  const lines = text.trimEnd().split('\n');
  expect(lines[0]).toBe(CASE.headline);
  expect(lines.at(-1)).toBe('http://host/t/x/cases/y');
});

test('stages, blame, evidence and stack are told with every nanosecond', () => {
  expect(text.replaceAll('\u202f', ' ')).toContain('  irq entry → handler 9.000 µs (9,000 ns)');
  expect(text.replaceAll('\u202f', ' ')).toContain(
    '  67.1 % hard interrupt local_timer (CPU 1): 12.45 µs (12,449 ns)',
  );
  expect(text.replaceAll('\u202f', ' ')).toContain('  expiry → irq entry 551 ns\n');
  expect(text).toContain(CASE.evidence[0]?.sentence);
  expect(text).toContain('  hrtimer_wakeup+0x22/0x30');
});

test('a name cannot break a line', () => {
  expect(text).toContain('a\\nb-1213');
});

test('a chain is told link by link', () => {
  const chained = caseText({ ...CASE, why: CHAIN }, { name: 'break', kernel: null }, 'http://host');
  expect(chained.replaceAll('\u202f', ' ')).toContain(
    '  9.000 µs (9,000 ns): CPU 1 stood still inside local_timer' +
      ' (inferred; second longest of 1,407, median 6.100 µs, p99 7.800 µs)\n',
  );
  expect(text).not.toContain('Why');
});
