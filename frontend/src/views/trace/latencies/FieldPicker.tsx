import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { eventFieldsQuery } from '../../../api/events';
import type { EventField } from '../../../api/types';
import { FailedLine } from '../../../components/problem/FailedLine';
import { Switch, SwitchGroup } from '../../../components/toolbar/Toolbar';
import { countText } from '../../../lib/ns';
import { visibleText } from '../../../lib/visibleText';
import { FIELD_UNITS, type FieldUnit } from '../../../viewState/trace';
import styles from './FieldPicker.module.css';

interface FieldPickerProps {
  readonly traceId: string;
  /** `<event>.<field>`; empty where a kind of latency is shown. */
  readonly field: string;
  readonly unit: FieldUnit;
  readonly onField: (field: string) => void;
  readonly onUnit: (unit: FieldUnit) => void;
}

const UNIT_NAMES: Record<Exclude<FieldUnit, 'recorded'>, string> = {
  ns: 'ns',
  us: 'µs',
  ms: 'ms',
  s: 's',
  none: 'no unit',
};
const NO_FIELDS: readonly EventField[] = [];

/** Any field of any event that holds a number, as a series of its own, in the unit that its numbers have. */
export function FieldPicker({ traceId, field, unit, onField, onUnit }: FieldPickerProps) {
  const id = useId();
  const fields = useQuery(eventFieldsQuery(traceId));
  const known = fields.data ?? NO_FIELDS;
  const ownUnit = known.find(({ name }) => name === field)?.unit;
  const inForce = unit === 'recorded' ? ownUnit : unit;
  if (fields.isError) {
    return (
      <span className={styles.picker}>
        <FailedLine query={fields}>Could not list the event fields.</FailedLine>
      </span>
    );
  }
  return (
    <span className={styles.picker}>
      <label htmlFor={id}>event field</label>
      <select
        id={id}
        className={styles.fields}
        value={field}
        disabled={fields.isPending}
        onChange={(event) => onField(event.target.value)}
      >
        <option value="">none</option>
        {field !== '' && ownUnit === undefined ? <option value={field}>{visibleText(field)}</option> : null}
        {fieldsByEvent(known).map(({ event, eventCount, fields: ofEvent }) => (
          <optgroup key={event} label={`${visibleText(event)}, ${countText(eventCount, 'event')}`}>
            {ofEvent.map(({ name }) => (
              <option key={name} value={name}>
                {visibleText(name)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      {field === '' ? null : (
        <SwitchGroup name="in">
          {FIELD_UNITS.map((one) => (
            <Switch
              key={one}
              isOn={one === inForce}
              onClick={() => onUnit(one === ownUnit ? 'recorded' : one)}
            >
              {UNIT_NAMES[one]}
            </Switch>
          ))}
        </SwitchGroup>
      )}
    </span>
  );
}

interface FieldsOfEvent {
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
