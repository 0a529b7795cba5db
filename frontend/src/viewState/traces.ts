import { choiceField, textField } from './fields';
import { viewSpec } from './viewSpec';

const SORTED_BY = [
  'created_at',
  'name',
  'status',
  'kernel',
  'tracer',
  'cpu_count',
  'duration_ns',
  'event_count',
  'call_count',
  'record_count',
  'worst',
  'size_bytes',
] as const;

type SortedBy = (typeof SORTED_BY)[number];

/** How the catalog can be sorted; `-` is the largest or the last first. */
export type TracesSort = SortedBy | `-${SortedBy}`;

export const TRACES_SORTS: readonly [TracesSort, ...TracesSort[]] = [
  '-created_at',
  ...SORTED_BY,
  ...SORTED_BY.slice(1).map((name): TracesSort => `-${name}`),
];

/** The catalog: what is searched for and in which order. */
export const tracesState = viewSpec({
  q: textField(),
  /** `name:value`, the label that all shown traces have. */
  label: textField(),
  sort: choiceField(TRACES_SORTS),
});

export type TracesState = ReturnType<typeof tracesState.read>['state'];

/** The catalog of the recordings that come with the program. */
export const samplesSearch = tracesState.write({ ...tracesState.read({}).state, label: 'sample:yes' });
