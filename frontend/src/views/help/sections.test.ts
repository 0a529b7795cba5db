import { expect, it } from 'vitest';
import { sectionsOf } from './sections';

it('lists the sections of a page, but not its title', () => {
  const text = '# Page\n\n## First `part`\n\ntext\n\n### Below\n\n```sh\n# no heading\n```\n\n## Second\n';
  expect(sectionsOf(text)).toEqual([
    { slug: 'first-part', title: 'First part', depth: 2 },
    { slug: 'below', title: 'Below', depth: 3 },
    { slug: 'second', title: 'Second', depth: 2 },
  ]);
});
