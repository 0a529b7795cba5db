import { lazy, type Ref, Suspense, useRef } from 'react';
import type { DiffAnswer, DiffRequest } from '../../api/diff';
import { Button } from '../../components/button/Button';
import type { LaneChartHandle } from '../../components/chart/LaneChart';
import { ClockContext, useClock } from '../../components/clock/useClock';
import { clockOf } from '../../lib/clock';
import { groupDigits } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import type { DiffState } from '../../viewState/diff';
import type { SetViewState } from '../../viewState/useViewState';
import { Causes } from './Causes';
import { Contributions } from './Contributions';
import { DiffCharts } from './DiffCharts';
import { DiffHead } from './DiffHead';
import styles from './DiffPage.module.css';
import { DiffTable } from './DiffTable';
import { DiffToolbar } from './DiffToolbar';
import { DiffWays } from './DiffWays';
import { Legend } from './Legend';
import { RowStrip } from './RowStrip';
import { deltaText } from './rowText';
import { useDiffPage } from './useDiffPage';

const PickNormal = lazy(() => import('./PickNormal'));

interface DiffPageProps {
  readonly answer: DiffAnswer;
  readonly asked: DiffRequest;
  readonly state: DiffState;
  readonly setState: SetViewState<DiffState>;
  /** The answer is that to the question before this one. */
  readonly isOld: boolean;
}

interface PartProps extends DiffPageProps {
  readonly page: ReturnType<typeof useDiffPage>;
}

/** A comparison from its sentence down to single calls; what is chosen in one part is chosen in all. */
export function DiffPage(props: DiffPageProps) {
  return (
    <ClockContext value={clockOf(props.answer.unit)}>
      <Comparison {...props} />
    </ClockContext>
  );
}

function Comparison(props: DiffPageProps) {
  const clock = useClock();
  const { answer, asked, state, setState, isOld } = props;
  const page = useDiffPage(answer, state, setState);
  const chart = useRef<LaneChartHandle>(null);
  const fileName = visibleText(answer.abnormal.title);
  const isEqual = answer.delta_ns === 0 && page.tree.rows.every(({ selfDeltaNs }) => selfDeltaNs === 0);
  return (
    <article className={styles.page}>
      <DiffHead answer={answer} />
      <DiffToolbar
        state={state}
        setState={setState}
        onPick={() => page.setPicking(true)}
        onSwap={page.onSwap}
        shapes={answer.shapes}
        isLoading={isOld}
      >
        <DiffWays
          asked={asked}
          fileName={fileName}
          rows={page.tree.rows}
          onPicture={(format) =>
            chart.current?.save(
              format,
              fileName,
              `${deltaText(answer.delta_ns, clock)}: ${fileName} against normal`,
            )
          }
        />
      </DiffToolbar>
      {isEqual && <p className={styles.equal}>The two are equal.</p>}
      <Causes answer={answer} />
      <Charts {...props} page={page} chart={chart} />
      <ListsAndTree {...props} page={page} />
      {page.isPicking && <Picking {...props} page={page} />}
    </article>
  );
}

interface ChartsProps extends PartProps {
  readonly chart: Ref<LaneChartHandle>;
}

function Charts({ answer, asked, state, setState, isOld, page, chart }: ChartsProps) {
  const { tree, hovered } = page;
  return (
    <>
      <DiffCharts
        chart={chart}
        tree={tree}
        totals={{ abnormal: answer.abnormal.duration_ns, normal: answer.normal.duration_ns }}
        noiseFloorNs={answer.noise_floor_ns}
        causes={page.causes}
        state={state}
        setState={setState}
        hovered={hovered}
        onHover={page.setHovered}
        onSelect={page.select}
        joined={page.joined}
        label={`Abnormal above normal, on one time scale. ${visibleText(answer.summary)}`}
        renderedMark={isOld ? undefined : `${asked.abnormal} ${asked.normal}`}
      />
      <RowStrip kind={answer.kind} row={tree.byId.get(hovered ?? state.row ?? -1)} />
      <Legend colour={state.colour} />
    </>
  );
}

function ListsAndTree({ answer, state, setState, page }: PartProps) {
  return (
    <div className={styles.columns}>
      <Contributions answer={answer} selected={state.row} onSelect={page.select} onHover={page.setHovered} />
      <div className={styles.tree}>
        <DiffTable
          rows={page.tree.rows}
          view={page.open.view}
          selected={state.row}
          hovered={page.hovered}
          isSet={{ abnormal: answer.abnormal.set !== null, normal: answer.normal.set !== null }}
          kind={answer.kind}
          onSelect={page.select}
          onHover={page.setHovered}
          onToggle={page.open.toggle}
        />
        <HiddenRows hidden={answer.rows_hidden} state={state} setState={setState} />
      </div>
    </div>
  );
}

function Picking({ answer, state, setState, page }: PartProps) {
  const { trace, id } = answer.abnormal;
  const close = () => page.setPicking(false);
  return (
    <Suspense>
      <PickNormal
        abnormal={{ trace, id }}
        normal={answer.normal.id}
        state={state}
        onPick={(normal) => {
          close();
          setState({ normal, row: undefined, toggled: [], window: undefined }, { history: 'push' });
        }}
        onClose={close}
      />
    </Suspense>
  );
}

interface HiddenRowsProps {
  readonly hidden: DiffAnswer['rows_hidden'];
  readonly state: DiffState;
  readonly setState: SetViewState<DiffState>;
}

/** How much of the tree is hidden, and a button to show it. */
function HiddenRows({ hidden, state, setState }: HiddenRowsProps) {
  const clock = useClock();
  if (hidden.count === 0) return null;
  return (
    <p className={styles.hidden}>
      {`${groupDigits(hidden.count)} smaller rows are hidden (${deltaText(hidden.delta_ns, clock)} in total). `}
      {state.rows === 'some' && (
        <Button onClick={() => setState({ rows: 'all', toggled: [], row: undefined }, { history: 'push' })}>
          Show more rows
        </Button>
      )}
    </p>
  );
}
