import { expect, test } from 'vitest';
import { CYCLIC, IRQSOFF, KINDS } from '../../../api/latencies.fixture';
import type { LatencyKind } from '../../../api/latencyTypes';
import { chooseKind, fullBar, kindsWithSamples, worstOfEach } from './chooseKind';

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
  expect(chooseKind(known, named)?.kind).toBe(expected);
});

test('what was late comes before what took long, each worst first', () => {
  const nap = { ...CYCLIC, kind: 'syscall', duration_ns: 1_000_000_000 };
  const syscall = { ...KINDS[0], kind: nap.kind, lateness: 'asleep', worst: nap } as LatencyKind; // KINDS has a first one
  const kinds = [syscall, ...KINDS];
  const rows = worstOfEach(kinds);
  expect(rows.map(({ kind }) => kind)).toEqual(['irqsoff', 'cyclic', 'syscall']);
  expect(fullBar(rows, kinds)).toBe(IRQSOFF.duration_ns);
  expect(fullBar([nap], kinds)).toBe(nap.duration_ns);
});
