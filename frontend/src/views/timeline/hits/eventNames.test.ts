import { expect, test } from 'vitest';
import { noMatchText, suggestedFilters } from './eventNames';

const NAMES = ['sched_switch', 'sched_waking', 'irq_handler_entry'];
const KNOWN = { names: NAMES, isAll: true };

test('names complete the last term of the filter', () => {
  expect(suggestedFilters('', NAMES)[0]).toBe('event:sched_switch');
  expect(suggestedFilters('next_pid=12 sch', NAMES)[1]).toBe('next_pid=12 event:sched_waking');
});

test('a name that no event has is said, with those that are like it', () => {
  expect(noMatchText('event:sched_sw pid=3', KNOWN)).toBe(
    'No event of this trace is named sched_sw. Similar: sched_switch. event~sched_sw matches part of a name.',
  );
  expect(noMatchText('event:timer', KNOWN)).toBe('No event of this trace is named timer.');
});

test('nothing is said of names where they are right, negated or not all known', () => {
  const text = 'No event of this trace matches the filter.';
  expect(noMatchText('event:sched_switch pid=3', KNOWN)).toBe(text);
  expect(noMatchText('-event:timer', KNOWN)).toBe(text);
  expect(noMatchText('event:timer', { names: NAMES, isAll: false })).toBe(text);
});
