import { expect, test } from 'vitest';
import { bareLane } from '../../../components/lanes/timeline.fixture';
import { notDrawn } from './notDrawn';

const lanesOf = (...cpus: readonly number[]) =>
  cpus.map((cpu) => bareLane({ id: `cpu${cpu}.sched`, cpu, kind: 'sched', t: [0], duration_ns: [5] }));
const answer = (hidden: number, ...cpus: readonly number[]) => ({
  lanes: lanesOf(...cpus),
  counters: [],
  hidden_lanes: hidden,
});
const CPUS = Array.from({ length: 40 }, (_, cpu) => cpu);

test('an answer with all lanes leaves nothing to say', () =>
  expect(notDrawn(answer(0, ...CPUS), undefined, CPUS, [])).toBeUndefined());

test('of many lanes those that are left out are counted, and the first CPUs without any come next', () => {
  expect(notDrawn(answer(38, 0, 1), undefined, CPUS, [])).toEqual({
    laneCount: 38,
    of: 40,
    next: CPUS.slice(2, 18),
    isChosen: false,
  });
});

test('lanes that came with a later answer are drawn', () => {
  expect(notDrawn(answer(38, 0, 1), answer(0, 1, 2, 3), CPUS, [])?.laneCount).toBe(36);
});

test('who went on to CPUs without lanes goes on behind them, to the last', () => {
  const next = (...chosen: readonly number[]) => notDrawn(answer(38, 0, 1), undefined, CPUS, chosen)?.next;
  expect(next(...CPUS.slice(2, 18))).toEqual(CPUS.slice(18, 34));
  expect(next(39)).toEqual([]);
});

test('who chose CPUs with lanes misses none', () => {
  expect(notDrawn(answer(38, 0, 1), undefined, CPUS, [0, 1])).toBeUndefined();
});
