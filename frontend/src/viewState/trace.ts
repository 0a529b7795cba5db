import { choiceField, textField } from './fields';
import { viewSpec } from './viewSpec';

const SORTED_BY = ['count', 'total', 'self', 'min', 'p50', 'p99', 'max'] as const;

type SortedBy = (typeof SORTED_BY)[number] | 'symbol';

/** How the functions of a trace can be sorted; `-` is the largest first. */
export type FunctionSort = SortedBy | `-${SortedBy}`;

export const FUNCTION_SORTS: readonly [FunctionSort, ...FunctionSort[]] = [
  '-total',
  'total',
  ...SORTED_BY.filter((name) => name !== 'total').flatMap((name): FunctionSort[] => [`-${name}`, name]),
  'symbol',
  '-symbol',
];

/** The overview of one trace: which functions are listed in which order, and the warning whose lines are open. */
export const traceState = viewSpec({
  q: textField(),
  sort: choiceField(FUNCTION_SORTS),
  warning: textField(64),
});
