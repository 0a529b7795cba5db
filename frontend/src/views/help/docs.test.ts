import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lexer, type Token } from 'marked';
import { expect, it } from 'vitest';
import { pictureUrl } from '../../components/docs/pictureUrl';
import { DOC_PAGES } from '../../lib/docPages';
import { isPage } from './pages';
import { slugOf } from './slug';

const DOCS = resolve(import.meta.dirname, '../../../../docs');
const textOf = (name: string) => readFileSync(join(DOCS, `${name}.md`), 'utf8');

// For those who change the program: these stay with its source.
const FOR_DEVELOPERS = ['fuzzing'];

it('lists every page for users', () => {
  const files = readdirSync(DOCS).flatMap((file) => /^(.*)\.md$/.exec(file)?.[1] ?? []);
  expect([...DOC_PAGES.map(({ name }) => name), ...FOR_DEVELOPERS].toSorted()).toEqual(files.toSorted());
});

it('links only to pages, sections and pictures that there are', () => {
  const broken = DOC_PAGES.flatMap(({ name }) =>
    links(lexer(textOf(name)))
      .filter((href) => !leadsSomewhere(name, href))
      .map((href) => `${name}: ${href}`),
  );
  expect(broken).toEqual([]);
});

it('has each picture of a page in both themes', () => {
  const shown = DOC_PAGES.flatMap(({ name }) => links(lexer(textOf(name)))).filter((href) =>
    href.endsWith('.png'),
  );
  expect(shown.length).toBeGreaterThan(0);
  for (const path of shown) {
    const [dark, light] = [pictureUrl(path, 'dark'), pictureUrl(path, 'light')];
    expect([dark, light]).not.toContain(undefined);
    expect(light).not.toBe(dark);
  }
});

function leadsSomewhere(from: string, href: string): boolean {
  if (/^https?:\/\//.test(href)) return true;
  const [path = '', hash] = href.split('#');
  const page = path === '' ? from : path.replace(/\.md$/, '');
  if (!isPage(page)) return existsSync(join(DOCS, path));
  return hash === undefined || slugs(lexer(textOf(page))).includes(hash);
}

function slugs(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap((token) => (token.type === 'heading' ? [slugOf(String(token['text']))] : []));
}

function links(tokens: readonly Token[]): readonly string[] {
  const found: string[] = [];
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(visit);
    else if (typeof part === 'object' && part !== null) {
      const { type, href } = part as { readonly type?: unknown; readonly href?: unknown };
      if ((type === 'link' || type === 'image') && typeof href === 'string') found.push(href);
      Object.values(part).forEach(visit);
    }
  };
  visit(tokens);
  return found;
}
