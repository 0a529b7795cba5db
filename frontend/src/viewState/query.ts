import { choiceField, countField, textField, type Field } from './fields';
import { viewSpec } from './viewSpec';

const MOST_TRACES = 1_000;

export const PLOTS = ['none', 'points', 'line', 'bars'] as const;

export type PlotKind = (typeof PLOTS)[number];

/** A statement of SQL, the traces that it knows as `$1`, and how its rows are drawn. */
export const queryState = viewSpec({
  sql: textField(20_000),
  traces: tracesField(),
  /** Rows; 1,000 where it is absent. */
  limit: countField(1, 100_000),
  plot: choiceField<PlotKind>(PLOTS),
});

export type QueryState = ReturnType<typeof queryState.read>['state'];

function tracesField(): Field<readonly string[]> {
  return {
    fallback: [],
    parse: (text) => {
      const ids = text.split(',');
      const areGood = ids.length <= MOST_TRACES && ids.every((id) => /^[\w-]{1,64}$/.test(id));
      return areGood ? [...new Set(ids)] : undefined;
    },
    print: (ids) => ids.join(','),
    wants: `up to ${MOST_TRACES} ids of traces such as abcdefghijkl,mnopqrstuvwx`,
  };
}
