import { expect, it } from 'vitest';
import why from '../../../../docs/why.md?raw';
import { meaningsOf } from './meanings';

it('has a sentence for every mechanism that the documentation lists', () => {
  const meanings = meaningsOf(why);
  const listed = [...why.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect([...meanings.keys()]).toEqual(listed);
  expect(listed).toContain('irqs_off');
  for (const meaning of meanings.values()) expect(meaning).toMatch(/^[A-Z][^`|]*\.$/);
});

it('leaves out the marks of code and of stress', () => {
  const page =
    '| mechanism | holds where | evidence |\n|---|---|---|\n| `ipi` | *another* `CPU` woke it | an event |\n';
  expect([...meaningsOf(page)]).toEqual([['ipi', 'Another CPU woke it.']]);
});
