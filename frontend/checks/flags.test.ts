import { expect, it } from 'vitest';
import latency from '../../backend/crates/ftrace/src/analyses/latency.rs?raw';
import latencies from '../../docs/latencies.md?raw';
import { flagsOf } from '../src/components/term/meanings';

it('has a sentence for every flag that the core names', () => {
  const named = [...latency.matchAll(/\(SampleFlags::\w+, "(\w+)"\)/g)].map(([, name]) => name);
  expect(named).toContain('ends_at_switch');
  const meanings = flagsOf(latencies);
  expect([...meanings.keys()]).toEqual(named);
  for (const meaning of meanings.values()) expect(meaning).toMatch(/^[A-Z][^`|]*\.$/);
});
