import type { PaletteItem } from '../../components/palette/rankItems';

/** So many that the pages stay in sight: a case is a sentence of several lines. */
const MOST_CASES = 3;
const MOST_TRACES = 5;

interface Listed {
  readonly actions: readonly PaletteItem[];
  readonly found: readonly PaletteItem[];
  readonly docs: readonly PaletteItem[];
  /** What the page is about itself, by id. */
  readonly opened: ReadonlySet<string>;
}

/**
 * All there is while nothing is typed, what is wanted most often first: the worst cases of the open trace, its pages
 * and those of the product, the newest traces, and what can be done here. All else follows as it comes.
 */
export function openedItems({ actions, found, docs, opened }: Listed): readonly PaletteItem[] {
  const firstOf = (kind: string, most: number) =>
    found.filter((item) => item.kind === kind && !opened.has(item.id)).slice(0, most);
  const pages = actions.filter(({ kind }) => kind === 'page');
  const first = [...firstOf('case', MOST_CASES), ...pages, ...firstOf('trace', MOST_TRACES)];
  return [...new Set([...first, ...actions, ...found, ...docs])];
}
