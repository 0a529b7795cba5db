import { expect, it } from 'vitest';
import { CYCLIC } from '../../../api/latencies.fixture';
import { worstColumns } from './worstColumns';

it('has a column of tasks only where the task of some case is known', () => {
  const task = worstColumns('t', [CYCLIC], []).find(({ id }) => id === 'task');
  expect([CYCLIC, { ...CYCLIC, pid: null }].map((row) => task?.has?.(row))).toEqual([true, false]);
});

it('names the source of bare numbers, of which the sentence would say no more', () => {
  const count = { ...CYCLIC, unit: 'none' as const, key: 'ftq CPU 1', duration_ns: 2595 };
  const titleOf = (headline: string) => worstColumns('t', [{ ...count, headline }], []).at(-1)?.title;
  expect(titleOf('ftq CPU 1: 2,595')).toBe('Source');
  expect(titleOf('ftq on CPU 1 lost 12 of 2,607 to an interrupt')).toBe('Why');
});
