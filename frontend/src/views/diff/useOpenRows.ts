import { useEffect, useMemo, useRef } from 'react';
import type { DiffAnswer } from '../../api/diffTypes';
import type { DiffState } from '../../viewState/diff';
import type { SetViewState } from '../../viewState/useViewState';
import { ancestorsOf, chainFrom, firstOpen, shownRows, type DiffRow, type DiffTree } from './diffTree';
import type { TreeView } from './treeKeys';

/** Which rows of the tree are open: those on the way to the largest contributions, changed by what was toggled. */
export function useOpenRows(
  tree: DiffTree,
  { contributions }: DiffAnswer,
  { row: selected, toggled }: DiffState,
  setState: SetViewState<DiffState>,
) {
  const first = useMemo(() => firstOpen(tree, contributions), [tree, contributions]);
  const view = useMemo<TreeView>(() => {
    const changed = new Set(toggled);
    const isOpen = (row: DiffRow) => first.has(row.id) !== changed.has(row.id);
    return {
      shown: shownRows(tree, isOpen),
      openness: (row) => (tree.childrenOf.has(row.id) ? (isOpen(row) ? 'open' : 'closed') : undefined),
    };
  }, [tree, first, toggled]);

  /** Opens or closes the rows, whatever the page would have chosen. */
  const put = (rows: readonly number[], isOpen: boolean) => {
    const changed = new Set(toggled);
    for (const id of rows) {
      if (first.has(id) === isOpen) changed.delete(id);
      else changed.add(id);
    }
    setState({ toggled: [...changed].toSorted((a, b) => a - b) });
  };
  const toggle = (row: DiffRow) =>
    view.openness(row) === 'open' ? put([row.id], false) : put(chainFrom(tree, row), true);

  // What is chosen in the lists or the charts comes into sight, but may be closed again.
  const revealed = useRef<number>(undefined);
  useEffect(() => {
    if (selected === undefined || selected === revealed.current) return;
    revealed.current = selected;
    const closed = ancestorsOf(tree, selected).filter((row) => view.openness(row) === 'closed');
    if (closed.length > 0) {
      put(
        closed.map(({ id }) => id),
        true,
      );
    }
  });
  return { view, toggle };
}
