import { expect, test } from 'vitest';
import { columnsOf, DIFF } from './diff.fixture';
import { joinedRows, nextContribution, swapped } from './diffSteps';
import { diffState } from '../../viewState/diff';
import { ancestorsOf, chainFrom, firstOpen, shownRows, treeOf } from './diffTree';
import { nextRow } from './useTreeRows';

const TREE = treeOf(
  columnsOf([
    'root matched 0 100 60 0',
    'small matched 1 10 9 1',
    'leaf matched 2 5 4 1',
    'large matched 1 80 50 2',
    'inner matched 2 60 30 0',
    'extra added 3 30 - 30',
  ]),
);
const names = (ids: readonly number[]) => ids.map((id) => TREE.byId.get(id)?.name);
const root = TREE.byId.get(0);
const row = (id: number) => {
  const found = TREE.byId.get(id);
  if (found === undefined) throw new Error(`no row ${id}`);
  return found;
};

test('a row leads to its root', () => {
  expect(ancestorsOf(TREE, 5).map(({ name }) => name)).toEqual(['inner', 'large', 'root']);
  expect(ancestorsOf(TREE, 99)).toEqual([]);
});

test('a row opens along its largest contribution, down to the one that holds it', () => {
  expect(root && names(chainFrom(TREE, root))).toEqual(['root', 'large', 'inner']);
  expect(names(chainFrom(TREE, row(1)))).toEqual(['small']);
});

test('closed rows hide what is below them and nothing else', () => {
  const open = new Set([0, 3]);
  const shown = shownRows(TREE, ({ id }) => open.has(id));
  expect(shown.map(({ name }) => name)).toEqual(['root', 'small', 'large', 'inner']);
});

test('the page opens on the way to the contributions', () => {
  const tree = treeOf(DIFF.rows);
  expect([...firstOpen(tree, DIFF.contributions)].toSorted()).toEqual([0, 2]);
  // What only one side calls is joined where both sides have what is around it.
  expect(joinedRows(tree, DIFF.contributions)).toEqual([2]);
});

test('from contribution to contribution, and no further than the last', () => {
  expect([undefined, 3, 2].map((chosen) => nextContribution(DIFF, chosen, 1))).toEqual([3, 2, 2]);
  expect(nextContribution(DIFF, 3, -1)).toBe(3);
});

test('the sides change over; the median becomes the one that it was', () => {
  const { state } = diffState.read({ abnormal: 'abcdefghijkl/call-cpu1@0.0' });
  expect(swapped(state, DIFF)).toMatchObject({
    abnormal: { trace: 'mnopqrstuvwx', id: 'call-cpu1@0.0' },
    normal: { trace: 'abcdefghijkl', id: 'call-cpu1@0.0' },
  });
  expect(swapped({ ...state, normal: 'all' }, DIFF)).toBeUndefined();
});

/** Only the root is open. */
const openness = ({ id }: { readonly id: number }) => (id === 0 ? 'open' : 'closed');

test('the keys of a tree', () => {
  const view = { shown: [row(0), row(1), row(3)], openness };
  expect(nextRow(view, row(0), 'ArrowRight')).toEqual({ to: 1 });
  expect(nextRow(view, row(1), 'ArrowRight')).toEqual({ toggled: row(1) });
  expect(nextRow(view, row(1), 'ArrowLeft')).toEqual({ to: 0 });
  expect(nextRow(view, row(0), 'ArrowLeft')).toEqual({ toggled: row(0) });
  expect(nextRow(view, row(3), 'Home')).toEqual({ to: 0 });
  expect(nextRow(view, row(3), 'a')).toBeUndefined();
});
