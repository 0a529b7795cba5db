import {
  ifNotIn,
  type Completion,
  type CompletionContext,
  type CompletionSource,
} from '@codemirror/autocomplete';
import type { SqlView } from '../../api/sql';

/** Ranks of what begins with the typed letters; PostgreSQL has several hundred keywords, most of them rare. */
const RANK = { columnOfStatement: 99, column: 60, view: 50, keyword: -99 } as const;

/** The views as names that can be completed, each with its columns behind a dot. */
export function schemaOf(views: readonly SqlView[]) {
  return Object.fromEntries(
    views.map(({ name, columns }) => [
      name,
      {
        self: { label: name, type: 'type', detail: 'view', boost: RANK.view },
        children: columns.map((column) => column.name),
      },
    ]),
  );
}

export const keywordCompletion = (label: string, type: string): Completion => ({
  label,
  type,
  boost: RANK.keyword,
});

/** Columns of the views, those of the views that the statement names first; none where a statement begins. */
export function columnCompletion(views: readonly SqlView[]): CompletionSource {
  return ifNotIn(['QuotedIdentifier', 'String', 'LineComment', 'BlockComment', '.'], (context) => {
    const word = context.matchBefore(/\w+/);
    if ((word === null && !context.explicit) || isStart(context, word?.from ?? context.pos)) return null;
    const statement = context.state.doc.toString();
    return {
      from: word?.from ?? context.pos,
      options: columnsFor(views, statement),
      validFor: /^\w*$/,
    };
  });
}

function isStart({ state }: CompletionContext, at: number): boolean {
  return /(^|;)\s*$/.test(state.doc.sliceString(0, at));
}

/** Each column once, with the views that have it. */
export function columnsFor(views: readonly SqlView[], statement: string): readonly Completion[] {
  const words = new Set(statement.match(/\w+/g));
  const owners = new Map<string, string[]>();
  for (const { name, columns } of views) {
    for (const column of columns) owners.set(column.name, [...(owners.get(column.name) ?? []), name]);
  }
  return [...owners].map(([label, names]) => {
    const asked = names.filter((name) => words.has(name));
    const shown = asked.length > 0 ? asked : names;
    return {
      label,
      type: 'property',
      detail: shown.length > MOST_OWNERS ? `${shown.length} views` : shown.join(', '),
      boost: asked.length > 0 ? RANK.columnOfStatement : RANK.column,
    };
  });
}

const MOST_OWNERS = 2;
