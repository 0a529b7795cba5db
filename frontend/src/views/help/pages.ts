import { DOC_PAGES } from '../../lib/docPages';

const TEXTS = import.meta.glob<string>('../../../../docs/*.md', { query: '?raw', import: 'default' });
/** The text of a page; nothing where there is no such page. */
export async function loadPage(name: string): Promise<string | undefined> {
  return isPage(name) ? await TEXTS[`../../../../docs/${name}.md`]?.() : undefined;
}

export function isPage(name: string): boolean {
  return DOC_PAGES.some((page) => page.name === name);
}
