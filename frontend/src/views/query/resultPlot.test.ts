import { expect, it } from 'vitest';
import type { SqlAnswer } from '../../api/sql';
import { resultPlot } from './resultPlot';

function check(
  columns: Readonly<Record<string, string>>,
  rows: SqlAnswer['rows'],
  expected: string | undefined,
): void {
  const plot = resultPlot({
    columns: Object.entries(columns).map(([name, type]) => ({
      name,
      type,
      unit: name.endsWith('_ns') ? 'ns' : null,
    })),
    rows,
    row_count: rows.length,
    is_truncated: false,
  });
  const lines = plot?.series.map(({ column, points }) => `${column.name} ${points.join(' ')}`);
  expect(
    plot && [`${plot.x.name}${plot.names ? `: ${plot.names.join(', ')}` : ''}`, ...(lines ?? [])].join('; '),
  ).toBe(expected);
}

it('draws numbers against the first number', () => {
  check(
    { t_ns: 'int8', duration_ns: 'int8', comm: 'text' },
    [
      [1, 5, 'a'],
      [2, 7, 'b'],
    ],
    't_ns; duration_ns 1,5 2,7',
  );
});

it('draws numbers against names, in their order', () => {
  check(
    { kind: 'text', max_ns: 'int8' },
    [
      ['irq', 5],
      [null, 7],
    ],
    'kind: irq, –; max_ns 0,5 1,7',
  );
});

it('draws numbers against the first names that are not all the same', () => {
  check(
    { trace: 'text', kind: 'text', max_ns: 'int8' },
    [
      ['24sh5tesqht7', 'irq', 5],
      ['24sh5tesqht7', 'tick', 7],
    ],
    'kind: irq, tick; max_ns 0,5 1,7',
  );
  check(
    { trace: 'text', kind: 'text', max_ns: 'int8' },
    [['24sh5tesqht7', 'irq', 5]],
    'trace: 24sh5tesqht7; max_ns 0,5',
  );
});

it('gives one axis one unit, and leaves out what is no number', () => {
  const columns = { kind: 'text', count: 'int8', max_ns: 'int8', p50_ns: 'int8' };
  check(
    columns,
    [
      ['irq', 9, 5, null],
      ['tick', 9, '9007199254740993', 4],
    ],
    'kind: irq, tick; max_ns 0,5; p50_ns 1,4',
  );
});

it('draws nothing where there is nothing to draw', () => {
  check({ comm: 'text', event: 'text' }, [['a', 'b']], undefined);
  check({ comm: 'text', pid: 'int4' }, [['a', 1]], undefined);
  check({}, [], undefined);
});
