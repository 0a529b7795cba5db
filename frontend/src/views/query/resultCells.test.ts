import { expect, it } from 'vitest';
import type { SqlColumn } from '../../api/sql';
import { sentenceColumns } from './resultCells';

const column = (name: string, type = 'text'): SqlColumn => ({ name, type, unit: null });

it('finds the columns of sentences, which wrap, among names and numbers, which do not', () => {
  const headline = 'cyclictest-1213 on CPU 1 woke 18.6 µs late: 9.0 µs from interrupt entry to timer handler';
  const columns = [column('trace'), column('headline'), column('duration_ns', 'int8'), column('args')];
  const rows = [
    ['24sh5tesqht7', 'short', 18_551, 'a'.repeat(80)],
    ['24sh5tesqht7', headline, 18_551, null],
  ];
  expect([...sentenceColumns({ columns, rows })]).toEqual([1]);
});
