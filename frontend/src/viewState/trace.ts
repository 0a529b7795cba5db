import { choiceField, textField } from './fields';
import { viewSpec } from './viewSpec';

const FUNCTION_SORTS = ['-total', '-self', '-count', '-max', '-p99', '-p50', '-min', 'name'] as const;

export type FunctionSort = (typeof FUNCTION_SORTS)[number];

/** The overview of one trace: how its functions are sorted and filtered, and which warning is open. */
export const traceState = viewSpec({
  q: textField(),
  sort: choiceField<FunctionSort>(FUNCTION_SORTS),
  warning: textField(64),
});
