import { useEffect, useMemo, useRef, useState } from 'react';
import type { DiffAnswer } from '../../api/diff';
import { useKeys } from '../../components/keys/keys';
import type { DiffState } from '../../viewState/diff';
import type { SetViewState } from '../../viewState/useViewState';
import { causeRows, joinedRows, nextContribution, swapped } from './diffSteps';
import {
  ancestorsOf,
  chainFrom,
  type DiffRow,
  type DiffTree,
  firstOpen,
  shownRows,
  treeOf,
} from './diffTree';
import type { TreeView } from './useTreeRows';

/** What the parts of the page share: the tree, the hovered and selected rows, and the keys. */
export function useDiffPage(answer: DiffAnswer, state: DiffState, setState: SetViewState<DiffState>) {
  const [hovered, setHovered] = useState<number>();
  const [isPicking, setPicking] = useState(false);
  const tree = useMemo(() => treeOf(answer.rows), [answer.rows]);
  const joined = useMemo(() => joinedRows(tree, answer.contributions), [tree, answer.contributions]);
  const causes = useMemo(() => causeRows(tree, answer.contributions), [tree, answer.contributions]);
  const open = useOpenRows(tree, answer, state, setState);
  const swap = swapped(state, answer);
  const onSwap = swap && (() => setState(swap, { history: 'push' }));
  const select = (row: number | undefined) => setState({ row });
  const step = (by: 1 | -1) => select(nextContribution(answer, state.row, by));
  useKeys('Comparison', [
    { keys: ['x', 'X'], does: 'Swap the two sides', run: () => onSwap?.() },
    { keys: ['p', 'P'], does: 'Compare with another one', run: () => setPicking(true) },
    { keys: ['j', 'J'], does: 'Next contribution', run: () => step(1) },
    { keys: ['k', 'K'], does: 'Previous contribution', run: () => step(-1) },
    { keys: ['Escape'], does: 'Clear the selection', run: () => select(undefined) },
    { keys: ['ArrowUp', 'ArrowDown'], does: 'In the tree: row above, row below' },
    { keys: ['ArrowLeft', 'ArrowRight'], does: 'In the tree: close, open' },
  ]);
  return { tree, joined, causes, open, hovered, setHovered, isPicking, setPicking, onSwap, select };
}

/** Which rows of the tree are open: those on the way to the largest contributions, changed by what was toggled. */
function useOpenRows(
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
