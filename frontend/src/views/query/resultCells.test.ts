import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { SqlColumn } from '../../api/sql';
import { cellOf, sentenceColumns } from './resultCells';

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

const shown = (name: string, value: number, unit: string | null = null) =>
  renderToStaticMarkup(cellOf(value, { name, type: 'int8', unit }, [value], []));

it('shows numbers as the database gave them, in the unit that their column names', () => {
  expect(shown('max_ns', 55_770_000, 'ns')).toBe('<span title="55.770\u202fms">55,770,000</span>');
  expect(shown('count', 4_896)).toBe('4,896');
  expect(shown('pid', 12_345)).toBe('12345');
});
