import { expect, test } from 'vitest';
import { KINDS } from '../../../api/latencies.fixture';
import { ns } from '../../../lib/ns';
import type { NsRange } from '../../../viewState/fields';
import type { LatencyKind } from '../../../api/latencyTypes';
import { shownKind, unmeasuredText } from './shownKind';

const FIELD = { ...KINDS[0], kind: 'field', count: 0 } as LatencyKind; // KINDS has a first one
const nothing = {
  kind: '',
  field: '',
  unit: 'recorded',
  task: undefined,
  priority: 'any',
  stratum: undefined,
} as const;

test.each([
  [nothing, 'cyclic', { kind: 'cyclic' }],
  [
    { ...nothing, field: 'hrtimer_cb.delta' },
    'hrtimer_cb.delta',
    { kind: 'field', field: 'hrtimer_cb.delta' },
  ],
  [
    { ...nothing, kind: 'field', field: 'timer_start.timeout', unit: 'ms' },
    'timer_start.timeout',
    { kind: 'field', field: 'timer_start.timeout', unit: 'ms' },
  ],
  // Whoever is chosen, is asked for.
  [{ ...nothing, task: 1213 }, 'cyclic', { kind: 'cyclic', pid: 1213 }],
  [{ ...nothing, priority: 'fair' }, 'cyclic', { kind: 'cyclic', priority_class: 'fair' }],
  // So is the part of the samples that is chosen; of a task, that is more than its choice by name.
  [{ ...nothing, stratum: { name: 'cpu', value: '1' } }, 'cyclic', { kind: 'cyclic', cpu: '1' }],
  [{ ...nothing, task: 9, stratum: { name: 'pid', value: '7' } }, 'cyclic', { kind: 'cyclic', pid: 7 }],
  // A field belongs to the kind of fields; next to another one it says nothing.
  [{ ...nothing, kind: 'irqsoff', field: 'hrtimer_cb.delta' }, 'irqsoff', { kind: 'irqsoff' }],
] as const)('a link that says %o shows the right samples', (state, label, asked) => {
  const shown = shownKind([...KINDS, FIELD], state);
  expect(shown?.label).toBe(label);
  expect(shown?.request).toEqual(asked);
});

test('what gave no number is counted of the whole trace alone', () => {
  const incomplete = [
    { reason: 'no_start', count: 1, sentence: '' },
    { reason: 'no_end', count: 2, sentence: '' },
    { reason: 'not_listed', count: 400, sentence: '' },
  ];
  const [first] = KINDS;
  const text = (state: { readonly task?: number }, window?: NsRange) => {
    const shown = first && shownKind([{ ...first, incomplete }], { ...nothing, ...state });
    return shown && unmeasuredText(shown, { window });
  };
  expect(text({})).toBe(' · 3 unmeasured');
  expect(text({ task: 7 })).toBe('');
  expect(text({}, { start: ns(0), end: ns(5) })).toBe('');
});
