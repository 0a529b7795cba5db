import { choiceField, textField } from './fields';
import { viewSpec } from './viewSpec';

const SORTS = [
  '-created_at',
  'created_at',
  'name',
  '-name',
  '-duration_ns',
  'duration_ns',
  '-event_count',
  'event_count',
] as const;

export type TracesSort = (typeof SORTS)[number];

/** The catalog: what is searched for and in which order. */
export const tracesState = viewSpec({
  q: textField(),
  label: textField(),
  sort: choiceField<TracesSort>(SORTS),
});
