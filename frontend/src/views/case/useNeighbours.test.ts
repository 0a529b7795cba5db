import { expect, test } from 'vitest';
import { CYCLIC } from '../../api/latencies.fixture';
import { placeAmong } from './useNeighbours';

const items = ['a', 'b', 'c'].map((id) => ({ ...CYCLIC, id }));

test.each([
  ['a', 1, undefined, 'b'],
  ['b', 2, 'a', 'c'],
  ['c', 3, 'b', undefined],
  ['elsewhere', undefined, 'c', undefined],
])('%s is number %s between %s and %s', (id, rank, worse, milder) => {
  const place = placeAmong(items, id);
  expect([place.rank, place.worse?.id, place.milder?.id]).toEqual([rank, worse, milder]);
});
