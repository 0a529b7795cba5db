import { expect, test } from 'vitest';
import { argsText, flagsText } from './eventText';

test.each([
  [{ irqs_off: true, need_resched: true, preempt_resched: true, hardirq: true, preempt_depth: 2 }, 'dNh2.'],
  [{ bh_off: true, softirq: true, preempt_depth: 0, migrate_disable_depth: 1 }, 'b.s.1'],
  [
    { irqs_off: true, bh_off: true, nmi: true, hardirq: true, need_resched_lazy: true, preempt_depth: 12 },
    'DlZc.',
  ],
  [{}, '.....'],
])('the flags %j read %s', (flags, short) => expect(flagsText(flags).short).toBe(short));

test('flags are spelled out for those who do not know the columns', () => {
  expect(flagsText({ irqs_off: true, softirq: false, preempt_depth: 2 }).long).toBe(
    'irqs off, preempt depth 2',
  );
  expect(flagsText(null)).toEqual({ short: '', long: '' });
});

test('arguments read as ftrace prints them, and a line without any as it is', () => {
  expect(argsText({ args: { next_comm: 'sh', next_pid: 7 }, raw: '' })).toBe('next_comm=sh next_pid=7');
  expect(argsText({ args: {}, raw: 'hello' })).toBe('hello');
});
