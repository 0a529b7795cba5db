import type { EventField } from '../../../api/types';

export interface FieldsOfEvent {
  readonly event: string;
  readonly eventCount: number;
  readonly fields: readonly EventField[];
}

/** The fields under the events that have them, in the order of the answer; types of events with one name are one. */
export function fieldsByEvent(fields: readonly EventField[]): readonly FieldsOfEvent[] {
  const events = new Map<string, EventField[]>();
  for (const field of fields) {
    const known = events.get(field.event) ?? [];
    if (!known.some(({ name }) => name === field.name)) events.set(field.event, [...known, field]);
  }
  return [...events].map(([event, of]) => ({ event, eventCount: of[0]?.event_count ?? 0, fields: of }));
}
