import { lazy, Suspense, useMemo, useState } from 'react';
import type { DiffRequest } from '../../api/diff';
import type { DiffAnswer } from '../../api/diffTypes';
import { useKeys } from '../../components/keys/keys';
import { Loading } from '../../components/Loading';
import { visibleText } from '../../lib/visibleText';
import type { DiffState } from '../../viewState/diff';
import type { SetViewState } from '../../viewState/useViewState';
import { Contributions } from './Contributions';
import { DiffHead } from './DiffHead';
import styles from './DiffPage.module.css';
import { DiffTable } from './DiffTable';
import { DiffToolbar } from './DiffToolbar';
import { treeOf } from './diffTree';
import { DiffWays } from './DiffWays';
import { HiddenRows } from './HiddenRows';
import { Legend } from './Legend';
import { RowStrip } from './RowStrip';
import { Sides } from './Sides';
import { joinedRows, nextContribution, swapped } from './diffSteps';
import { useOpenRows } from './useOpenRows';

// The chart library is large, and the sentence at the top should not wait for it.
const DiffCharts = lazy(() => import('./DiffCharts'));

interface DiffPageProps {
  readonly answer: DiffAnswer;
  readonly asked: DiffRequest;
  readonly state: DiffState;
  readonly setState: SetViewState<DiffState>;
  /** The answer is that to the question before this one. */
  readonly isOld: boolean;
}

/** A comparison from its sentence down to single calls; what is chosen in one part is chosen in all. */
export function DiffPage({ answer, asked, state, setState, isOld }: DiffPageProps) {
  const [hovered, setHovered] = useState<number>();
  const tree = useMemo(() => treeOf(answer.rows), [answer.rows]);
  const open = useOpenRows(tree, answer, state, setState);
  const joined = useMemo(() => joinedRows(tree, answer.contributions), [tree, answer.contributions]);
  const swap = swapped(state, answer);
  const onSwap = swap && (() => setState(swap, { history: 'push' }));
  const select = (row: number | undefined) => setState({ row });
  useKeys('Comparison', [
    { keys: ['x', 'X'], does: 'Swap the two sides', run: () => onSwap?.() },
    {
      keys: ['j', 'J'],
      does: 'Next contribution',
      run: () => select(nextContribution(answer, state.row, 1)),
    },
    {
      keys: ['k', 'K'],
      does: 'Previous contribution',
      run: () => select(nextContribution(answer, state.row, -1)),
    },
    { keys: ['Escape'], does: 'Drop the selection', run: () => select(undefined) },
    { keys: ['ArrowUp', 'ArrowDown'], does: 'In the tree: row above, row below' },
    { keys: ['ArrowLeft', 'ArrowRight'], does: 'In the tree: close, open' },
  ]);
  const focused = tree.byId.get(hovered ?? state.row ?? -1);
  const isEqual = answer.delta_ns === 0 && tree.rows.every(({ selfDeltaNs }) => selfDeltaNs === 0);
  return (
    <article className={styles.page} data-rendered={isOld ? undefined : `${asked.abnormal} ${asked.normal}`}>
      <DiffHead answer={answer} />
      <Sides answer={answer} />
      <DiffToolbar state={state} setState={setState} onSwap={onSwap} isLoading={isOld}>
        <DiffWays asked={asked} fileName={visibleText(answer.abnormal.title)} />
      </DiffToolbar>
      {isEqual && <p className={styles.equal}>The two are equal.</p>}
      <Suspense fallback={<Loading what="the charts" />}>
        <DiffCharts
          tree={tree}
          aNs={answer.a_ns}
          bNs={answer.b_ns}
          state={state}
          setState={setState}
          hovered={hovered}
          onHover={setHovered}
          onSelect={select}
          joined={joined}
          label={`The abnormal one above the normal one, on one time scale. ${visibleText(answer.summary)}`}
          renderedMark={isOld ? undefined : state.colour}
        />
      </Suspense>
      <RowStrip row={focused} />
      <Legend colour={state.colour} />
      <div className={styles.columns}>
        <Contributions answer={answer} selected={state.row} onSelect={select} onHover={setHovered} />
        <div className={styles.tree}>
          <DiffTable
            view={open.view}
            selected={state.row}
            hovered={hovered}
            hasSet={answer.normal_set !== null}
            onSelect={select}
            onHover={setHovered}
            onToggle={open.toggle}
          />
          <HiddenRows hidden={answer.rows_hidden} state={state} setState={setState} />
        </div>
      </div>
    </article>
  );
}
