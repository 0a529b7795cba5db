import type { PaletteItem } from '../../components/palette/rankItems';
import { DOC_PAGES } from '../../lib/docPages';
import { experimentsState } from '../../viewState/experiments';
import { paths } from '../../viewState/paths';
import type { RawSearch } from '../../viewState/viewSpec';

/** Pages that have no place in the top bar: those of the documentation, the baselines, and that of the server itself. */
export function docItems(go: (to: string, search?: RawSearch) => void): readonly PaletteItem[] {
  const docs = DOC_PAGES.map(({ name, title }) => ({
    id: `docs ${name}`,
    kind: 'docs',
    title,
    run: () => go(paths.help(name)),
  }));
  const baselines = experimentsState.write({ show: 'baselines', q: '' });
  return [
    ...docs,
    {
      id: 'baselines',
      kind: 'page',
      title: 'Baselines',
      run: () => go(paths.experiments(), baselines),
    },
    { id: 'server', kind: 'page', title: 'This server', run: () => go(paths.server()) },
  ];
}
