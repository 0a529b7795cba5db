import type { KeyScope } from '../../components/keys/keys';
import type { PaletteItem } from '../../components/palette/rankItems';

/** The scope of keys that lead to other pages. */
export const PAGES = 'Pages';

/** What the table of keys can do on this page, that of the newest scope first; without the palette's own key. */
export function actionItems(scopes: readonly KeyScope[], openKey: string): readonly PaletteItem[] {
  return scopes.toReversed().flatMap(({ title, bindings }) =>
    bindings.flatMap(({ keys, does, run }): PaletteItem[] => {
      if (run === undefined || keys.includes(openKey)) return [];
      const isPage = title === PAGES;
      return [
        {
          id: `${title} ${does}`,
          kind: isPage ? 'page' : 'action',
          title: does,
          ...(!isPage && { note: title }),
          keys,
          run,
        },
      ];
    }),
  );
}
