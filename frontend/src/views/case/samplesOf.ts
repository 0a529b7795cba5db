import type { LatencyItem } from '../../api/latencyTypes';
import { FIELD_UNITS, type TraceState } from '../../viewState/trace';

/** What a case is one of: its kind, or the field of events whose value it is, in the unit that its id names. */
export function samplesOf({
  id,
  kind,
  key,
}: Pick<LatencyItem, 'id' | 'kind' | 'key'>): Pick<TraceState, 'kind' | 'field' | 'unit'> {
  if (kind !== 'field' || key === null) return { kind, field: '', unit: 'told' };
  const named = /^field\.[^@]*~([a-z]+)-[^@]*@/.exec(id)?.[1];
  return { kind, field: key, unit: FIELD_UNITS.find((unit) => unit === named) ?? 'told' };
}
