import type { PaletteItem } from '../../components/palette/rankItems';
import { DOC_PAGES } from '../../lib/docPages';
import { paths } from '../../viewState/paths';

/** The pages that say how things work: those of the documentation, and that of the server itself. */
export function docItems(go: (to: string) => void): readonly PaletteItem[] {
  const docs = DOC_PAGES.map(({ name, title }) => ({
    id: `docs ${name}`,
    kind: 'docs',
    title,
    run: () => go(paths.help(name)),
  }));
  return [...docs, { id: 'server', kind: 'page', title: 'This server', run: () => go(paths.server()) }];
}
