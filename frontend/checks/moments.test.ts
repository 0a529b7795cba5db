import { expect, it } from 'vitest';
import stages from '../../backend/crates/ftrace/src/explain/stages.rs?raw';
import latencies from '../../docs/latencies.md?raw';
import { momentsOf } from '../src/components/term/meanings';

it('has a sentence for every moment that the core names', () => {
  const named = [...stages.matchAll(/Mark::\w+ => "([^"]+)"/g)].map(([, name]) => name);
  expect(named).toContain('expected expiry');
  const meanings = momentsOf(latencies);
  expect([...meanings.keys()].toSorted()).toEqual(named.toSorted());
  for (const meaning of meanings.values()) expect(meaning).toMatch(/^[A-Z][^`|]*\.$/);
});
