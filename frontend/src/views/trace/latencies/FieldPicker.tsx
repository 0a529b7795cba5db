import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { eventFieldsQuery } from '../../../api/eventFields';
import type { EventField } from '../../../api/types';
import { Button } from '../../../components/button/Button';
import { Switch, SwitchGroup } from '../../../components/toolbar/Toolbar';
import { groupDigits } from '../../../lib/ns';
import { visibleText } from '../../../lib/visibleText';
import { FIELD_UNITS, type FieldUnit } from '../../../viewState/trace';
import styles from './FieldPicker.module.css';
import { fieldsByEvent } from './fieldsByEvent';

interface FieldPickerProps {
  readonly traceId: string;
  /** `<event>.<field>`; empty where a kind of latency is shown. */
  readonly field: string;
  readonly unit: FieldUnit;
  readonly onField: (field: string) => void;
  readonly onUnit: (unit: FieldUnit) => void;
}

const UNIT_NAMES: Record<Exclude<FieldUnit, 'told'>, string> = {
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
  const told = known.find(({ name }) => name === field)?.unit;
  const inForce = unit === 'told' ? told : unit;
  if (fields.isError) {
    return (
      <span className={styles.picker}>
        The fields of events could not be listed.
        <Button look="bare" onClick={() => void fields.refetch()}>
          Ask again
        </Button>
      </span>
    );
  }
  return (
    <span className={styles.picker}>
      <label htmlFor={id}>field of an event</label>
      <select
        id={id}
        className={styles.fields}
        value={field}
        disabled={fields.isPending}
        onChange={(event) => onField(event.target.value)}
      >
        <option value="">none</option>
        {field !== '' && told === undefined ? <option value={field}>{visibleText(field)}</option> : null}
        {fieldsByEvent(known).map(({ event, eventCount, fields: ofEvent }) => (
          <optgroup key={event} label={`${visibleText(event)}, ${groupDigits(eventCount)} events`}>
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
            <Switch key={one} isOn={one === inForce} onClick={() => onUnit(one === told ? 'told' : one)}>
              {UNIT_NAMES[one]}
            </Switch>
          ))}
        </SwitchGroup>
      )}
    </span>
  );
}
