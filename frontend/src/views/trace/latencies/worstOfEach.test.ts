import { expect, test } from 'vitest';
import { CYCLIC, KINDS } from '../../../api/latencies.fixture';
import type { LatencyKind } from '../../../api/latencyTypes';
import { kindsWithSamples, usualKind } from '../../../lib/usualKind';
import { logScale, placeOn, worstOfEach } from './worstOfEach';

const [cyclic, irqsoff, timerlat] = KINDS;

test('only kinds with samples are offered', () => {
  expect(kindsWithSamples(KINDS).map(({ kind }) => kind)).toEqual(['cyclic', 'irqsoff']);
});

test.each<[string, readonly (LatencyKind | undefined)[], string | undefined]>([
  ['irqsoff', [cyclic, irqsoff], 'irqsoff'],
  ['', [irqsoff, cyclic], 'cyclic'],
  ['timerlat', [irqsoff, timerlat], 'irqsoff'],
  ['', [timerlat], undefined],
])('a link that names "%s" shows the right one', (named, kinds, expected) => {
  const known = kinds.filter((kind) => kind !== undefined);
  expect(usualKind(known, named)?.kind).toBe(expected);
});

test('kinds are sorted by what matters, however long a system call slept', () => {
  const nap = { ...CYCLIC, kind: 'syscall', duration_ns: 1_000_000_000 };
  const of = (kind: string, lateness: LatencyKind['lateness'], duration_ns: number) =>
    ({ ...KINDS[0], kind, lateness, worst: { ...nap, kind, duration_ns } }) as LatencyKind; // KINDS has a first one
  const kinds = [of('syscall', 'asleep', 1e9), of('irq', 'long', 5), of('softirq', 'long', 9), ...KINDS];
  expect(worstOfEach(kinds).map(({ kind }) => kind)).toEqual([
    'cyclic',
    'irqsoff',
    'softirq',
    'irq',
    'syscall',
  ]);
});

test('one logarithmic scale holds a microsecond and a second', () => {
  const scale = logScale([2_000, 752_342, 52_429_000]);
  expect(scale).toEqual({ low: 2, high: 8 });
  expect([100, 100_000, 100_000_000].map((duration) => placeOn(scale, duration))).toEqual([0, 0.5, 1]);
  expect(placeOn(scale, 1)).toBe(0);
});

test.each([[[]], [[0]], [[1_000]]])('a scale of %o has a length', (durations) => {
  const scale = logScale(durations);
  expect(scale.high).toBeGreaterThan(scale.low);
  expect(placeOn(scale, durations[0] ?? 0)).toBeGreaterThanOrEqual(0);
});

test('the shortest of cases that hardly differ has a bar, too', () => {
  const scale = logScale([1_011_000_000, 1_025_446_000]);
  expect(placeOn(scale, 1_011_000_000)).toBeGreaterThan(0.4);
});
