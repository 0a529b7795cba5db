import { expect, test } from 'vitest';
import type { CallLane } from '../../components/flame/flameAnswer';
import type { CallRow } from '../../components/flame/flameChart';
import { insideCall } from './insideCall';

const symbols = ['outer', 'inner', 'leaf'];

function row(depth: number, calls: readonly (readonly [number, number, number, number])[], detail = 'calls') {
  const lane: CallLane = {
    id: 'task-7',
    depth,
    detail,
    t: calls.map(([t]) => t),
    duration_ns: calls.map(([, duration]) => duration),
    self_ns: calls.map(([, , self]) => self),
    symbol_idx: calls.map(([, , , symbol]) => symbol),
    call_id: calls.map(([t]) => `${depth}@${t}`),
  };
  return { id: `${depth}`, depth, group: 'bash-7', lane } satisfies CallRow;
}

const deeper = row(1, [
  [110, 30, 20, 1],
  [150, 20, 20, 1],
  [300, 9, 9, 2],
]);
const rows = [row(0, [[100, 100, 50, 0]]), deeper, row(2, [[115, 10, 10, 2]])];

test('functions of a call are summed up without what they call, and add up to it', () => {
  const inside = insideCall(rows, { symbols }, '0@100');
  expect(inside?.map(({ symbol, self_ns, count, id }) => [symbol, self_ns, count, id])).toEqual([
    ['outer', 50, 1, '0@100'],
    ['inner', 40, 2, '1@110'],
    ['leaf', 10, 1, '2@115'],
  ]);
});

test('only what is in the call counts, not what another one beside it calls', () => {
  expect(insideCall(rows, { symbols }, '1@110')?.map(({ symbol }) => symbol)).toEqual(['inner', 'leaf']);
});

test('where calls are drawn together, and where the call is not drawn, nothing is said', () => {
  const [outer] = rows;
  expect(outer && insideCall([outer, row(1, [[110, 30, 20, 1]], 'buckets')], { symbols }, '0@100')).toBe(
    undefined,
  );
  expect(insideCall(rows, { symbols }, 'elsewhere')).toBeUndefined();
});
