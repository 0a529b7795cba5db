import { expect, test } from 'vitest';
import { clockOf } from '../../lib/clock';
import { columnTracks, diffColumns } from './diffColumns';
import { columnsOf } from './diff.fixture';
import { treeOf } from './diffTree';

const titles = (abnormal: boolean, normal: boolean) =>
  diffColumns({ abnormal, normal }, treeOf(columnsOf(['root matched 0 5000 4000 1000'])).rows)
    .slice(4)
    .map(({ title }) => title);

test.each([
  [false, false, []],
  [false, true, ['in abnormal', 'in normal', 'median, µs', 'MADs away']],
  [true, false, ['in abnormal', 'in normal', 'abnormal median']],
  [true, true, ['in abnormal', 'in normal', 'abnormal median', 'normal median', 'MADs away']],
])('abnormal is a set: %s, normal is a set: %s', (abnormal, normal, expected) => {
  expect(titles(abnormal, normal)).toEqual(expected);
});

function widths(...lines: readonly string[]): readonly string[] {
  const { rows } = treeOf(columnsOf(['root matched 0 5000 4000 1000', ...lines]));
  const columns = diffColumns({ abnormal: false, normal: false }, rows);
  return (columnTracks(columns, rows).match(/calc\(([\d.]+)ch/g) ?? []).slice(1);
}

test('columns are as wide as the widest number of all rows', () => {
  expect(widths()).toEqual(['calc(8.2ch', 'calc(7.4ch', 'calc(8.2ch']);
  // 123,456.789 in the column of the normal side, and with a sign in those of the deltas.
  expect(widths('leaf removed 1 - 123456789012 -123456789012')).toEqual([
    'calc(10.0ch',
    'calc(10.5ch',
    'calc(10.5ch',
  ]);
});

test.each([
  ['root matched 0 900 800 100', ['900', '800', '+100', '+100'], ['ns', 'ns']],
  ['root matched 0 63996 53940 391', ['63.996', '53.940', '+10.056', '+0.391'], ['µs', 'µs']],
  ['root matched 0 1234567 1230000 -567', ['1.235', '1.230', '+4.567', '−0.567'], ['ms', 'µs']],
  ['root matched 0 1234567890 - 0', ['1.234568', '–', '+1.234568', '0.000000'], ['s', 's']],
])('the unit of a column is that of its largest number: %s', (line, texts, units) => {
  const { rows } = treeOf(columnsOf([line]));
  const columns = diffColumns({ abnormal: false, normal: false }, rows);
  expect(rows.map((row) => columns.map(({ text }) => text(row)))).toEqual([texts]);
  expect(columns.map(({ title }) => title.split(', ')[1])).toEqual([units[0], units[0], units[1], units[1]]);
});

test('a long root leaves the calls below it their digits', () => {
  const below = ['a matched 1 8123 8000 123', 'b added 1 4567 - 4567'];
  const { rows } = treeOf(columnsOf(['root matched 0 1234567 1230000 -123', ...below]));
  const [abnormal] = diffColumns({ abnormal: false, normal: false }, rows);
  expect(abnormal?.title).toBe('abnormal, µs');
  expect(rows.map((row) => abnormal?.text(row))).toEqual(['1,234.567', '8.123', '4.567']);
});

test('columns count the steps of a clock that has no time', () => {
  const { rows } = treeOf(columnsOf(['root matched 0 1234567 - 12']));
  const columns = diffColumns({ abnormal: false, normal: false }, rows, clockOf('ticks'));
  const [root] = rows;
  expect(columns.map(({ title }) => title)).toEqual([
    'abnormal, ticks',
    'normal, ticks',
    'delta, ticks',
    'self Δ, ticks',
  ]);
  expect(root && columns.map(({ text }) => text(root))).toEqual(['1,234,567', '–', '+1,234,567', '+12']);
  expect(root && columns[0]?.exact?.(root)).toBe('1,234,567 clock ticks');
});
