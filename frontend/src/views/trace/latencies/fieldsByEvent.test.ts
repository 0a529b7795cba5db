import { expect, test } from 'vitest';
import type { EventField } from '../../../api/types';
import { fieldsByEvent } from './FieldPicker';

const field = (event: string, name: string, event_count: number): EventField => ({
  name: `${event}.${name}`,
  event,
  field: name,
  unit: 'none',
  unit_source: 'none',
  is_sampled: false,
  event_count,
});

test('fields stand under their event, each once, in the order of the answer', () => {
  const listed = fieldsByEvent([
    field('hrtimer_cb', 'delta', 20),
    field('hrtimer_cb', 'cpu', 20),
    field('sched_switch', 'next_prio', 7),
    field('hrtimer_cb', 'delta', 3),
  ]);
  expect(
    listed.map(({ event, eventCount, fields }) => [event, eventCount, fields.map((f) => f.field)]),
  ).toEqual([
    ['hrtimer_cb', 20, ['delta', 'cpu']],
    ['sched_switch', 7, ['next_prio']],
  ]);
});
