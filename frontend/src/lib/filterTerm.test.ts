import { expect, test } from 'vitest';
import { filterTerm } from './filterTerm';

test.each([
  ['sched_switch', 'event:sched_switch'],
  ['kworker/0:1', 'event:kworker/0:1'],
  ['two words', 'event:"two words"'],
  ['say "so" \\ no', 'event:"say \\"so\\" \\\\ no"'],
])('%s', (value, expected) => expect(filterTerm('event', value)).toBe(expected));
