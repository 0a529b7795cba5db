import { choiceField, countField, textField, traceIdsField } from './fields';
import { viewSpec } from './viewSpec';

const MOST_TRACES = 1_000;

export const PLOTS = ['none', 'points', 'line', 'bars'] as const;

export type PlotKind = (typeof PLOTS)[number];

/** A statement of SQL, the traces that it knows as `$1`, and how its rows are drawn. */
export const queryState = viewSpec({
  sql: textField(20_000),
  traces: traceIdsField(MOST_TRACES),
  /** Rows; 1,000 where it is absent. */
  limit: countField(1, 100_000),
  plot: choiceField<PlotKind>(PLOTS),
});

export type QueryState = ReturnType<typeof queryState.read>['state'];
