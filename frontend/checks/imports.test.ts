import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const SOURCE = resolve(import.meta.dirname, '../src');

// Which folder may import from which. `app` wires everything together, so nothing may import it.
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  lib: ['lib'],
  viewState: ['viewState', 'lib'],
  api: ['api', 'lib'],
  components: ['components', 'viewState', 'lib'],
  views: ['components', 'viewState', 'api', 'lib'],
  app: ['app', 'views', 'components', 'viewState', 'api', 'lib'],
};

// The documentation is text, and below everything.
const DOCUMENTATION = /^\.\.\/\.\.\/docs\/[\w-]+\.md\?raw$/;

/** Sentences about imports that point the wrong way, one per import. */
function wrongImports(file: string, text: string): string[] {
  const wrong: string[] = [];
  for (const [, specifier = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
    const target = relative(SOURCE, resolve(dirname(join(SOURCE, file)), specifier));
    const [from = '', view] = file.split('/');
    const [to = '', otherView] = target.split('/');
    if (to === from && from === 'views') {
      // Two views may look alike today; what they share belongs below them. Only the registry knows them all.
      if (view !== otherView && view !== 'registry.ts') wrong.push(`${file} imports another view: ${target}`);
    } else if (!DOCUMENTATION.test(target) && !ALLOWED[from]?.includes(to)) {
      wrong.push(`${file} may not import ${target}`);
    }
  }
  return wrong;
}

it('imports point one way', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((f) => /\.tsx?$/.test(f));
  expect(files.length).toBeGreaterThan(10);
  expect(files.flatMap((file) => wrongImports(file, readFileSync(join(SOURCE, file), 'utf8')))).toEqual([]);
});

it('sees what it is there to see', () => {
  expect(wrongImports('lib/ns.ts', "import { x } from '../views/trace/x';")).toHaveLength(1);
  expect(wrongImports('views/trace/x.ts', "const y = lazy(() => import('../calls/y'));")).toHaveLength(1);
  expect(wrongImports('components/a.tsx', "export { b } from '../api/b';")).toHaveLength(1);
  expect(wrongImports('components/a.ts', "import a from '../../../e2e/a.md?raw';")).toHaveLength(1);
  expect(wrongImports('views/trace/x.ts', "import { x } from '../../components/a';")).toEqual([]);
  expect(wrongImports('components/a.ts', "const a = await import('../../../docs/why.md?raw');")).toEqual([]);
});
