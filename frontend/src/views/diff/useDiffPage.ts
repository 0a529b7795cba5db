import { useMemo, useState } from 'react';
import type { DiffAnswer } from '../../api/diffTypes';
import { useKeys } from '../../components/keys/keys';
import type { DiffState } from '../../viewState/diff';
import type { SetViewState } from '../../viewState/useViewState';
import { joinedRows, nextContribution, swapped } from './diffSteps';
import { treeOf } from './diffTree';
import { useOpenRows } from './useOpenRows';

/** What the parts of the page share: the tree, the hovered and selected rows, and the keys. */
export function useDiffPage(answer: DiffAnswer, state: DiffState, setState: SetViewState<DiffState>) {
  const [hovered, setHovered] = useState<number>();
  const [isPicking, setPicking] = useState(false);
  const tree = useMemo(() => treeOf(answer.rows), [answer.rows]);
  const joined = useMemo(() => joinedRows(tree, answer.contributions), [tree, answer.contributions]);
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
  return { tree, joined, open, hovered, setHovered, isPicking, setPicking, onSwap, select };
}
