import { expect, test } from 'vitest';
import { columnTracks, diffColumns } from './diffColumns';
import { columnsOf } from './diff.fixture';
import { treeOf } from './diffTree';

const titles = (abnormal: boolean, normal: boolean) =>
  diffColumns({ abnormal, normal })
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

test('columns are as wide as the widest number of all rows', () => {
  const columns = diffColumns({ abnormal: false, normal: false });
  const small = treeOf(columnsOf(['root matched 0 5 4 1'])).rows;
  const large = treeOf(columnsOf(['root matched 0 5 4 1', 'leaf removed 1 - 123456789 -123456789'])).rows;
  const [, ...narrow] = columnTracks(columns, small).match(/calc\(([\d.]+)ch/g) ?? [];
  const [, ...wide] = columnTracks(columns, large).match(/calc\(([\d.]+)ch/g) ?? [];
  expect(narrow).toEqual(['calc(8.2ch', 'calc(7.4ch', 'calc(8.2ch']);
  // 123,456.789 in the column of the normal side, and with a sign in those of the deltas.
  expect(wide).toEqual(['calc(10.0ch', 'calc(11.0ch', 'calc(11.0ch']);
});
