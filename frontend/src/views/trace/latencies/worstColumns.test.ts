import { expect, it } from 'vitest';
import { CYCLIC } from '../../../api/latencies.fixture';
import { worstColumns } from './worstColumns';

it('has a column of tasks only where the task of some case is known', () => {
  const task = worstColumns('t', [CYCLIC], []).find(({ id }) => id === 'task');
  expect([CYCLIC, { ...CYCLIC, pid: null }].map((row) => task?.has?.(row))).toEqual([true, false]);
});
