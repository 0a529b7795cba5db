import { expect, it } from 'vitest';
import type { Comparison } from '../../api/compare';
import { withExact } from './withExact';

const variants = [
  { name: 'before', p50_ns: 1_000, p90_ns: 2_000, exact: false },
  { name: 'after', p50_ns: 1_100, p90_ns: 2_100, exact: false },
];
const differences = [
  { variant: 'after', stat: 'p50_ns', from: 1_000, to: 1_100, delta_ns: 100, share: 0.1, is_real: true },
  { variant: 'after', stat: 'max_ns', from: 5_000, to: 5_500, delta_ns: 500, share: 0.1, is_real: null },
];
const answer = { variants, differences } as unknown as Comparison; // what is not read here is left out

it('takes the place of rounded quantiles, and of their differences', () => {
  const quantiles = { p90_ns: null, p99_ns: null, p99_9_ns: null, p99_99_ns: null };
  const found = withExact(answer, [
    { name: 'before', ...quantiles, p50_ns: 1_001 },
    { name: 'after', ...quantiles, p50_ns: 1_099 },
  ]);
  expect(found.variants).toMatchObject([
    { name: 'before', p50_ns: 1_001, exact: true },
    { name: 'after', p50_ns: 1_099, exact: true },
  ]);
  expect(found.differences).toEqual([
    { ...differences[0], from: 1_001, to: 1_099, delta_ns: 98, share: 98 / 1_001 },
    differences[1],
  ]);
});
