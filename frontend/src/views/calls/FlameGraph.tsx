import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState, type Ref } from 'react';
import { callTreeQuery, type CallTreeAnswer } from '../../api/calls';
import { Button } from '../../components/button/Button';
import { LaneChart, type LaneChartHandle, type LaneHit } from '../../components/chart/LaneChart';
import { shareTicks } from '../../components/chart/shareTicks';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { useLiveWindow } from '../../components/chart/useLiveWindow';
import { useWindowKeys } from '../../components/chart/useWindowKeys';
import { useKeys } from '../../components/keys/keys';
import { Loading } from '../../components/Loading';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { useTheme } from '../../components/theme/theme';
import { problemOf } from '../../lib/problem';
import { saveBlob } from '../../lib/saveBlob';
import { visibleText } from '../../lib/visibleText';
import type { CallsPart } from './Calls';
import styles from './Calls.module.css';
import { findPath, flameGraphScene, layoutTree, pathOf, type PlacedNode } from './flameGraph';
import { foldedStacks } from './foldedStacks';
import { GraphToolbar } from './GraphToolbar';
import { GraphTable } from './GraphTable';
import { NodeStrip } from './NodeStrip';

/** Calls merged by their stacks: width is the share of the time. A click fills the screen with a function's subtree. */
export function FlameGraph(props: CallsPart) {
  const { trace, state } = props;
  const chart = useRef<LaneChartHandle>(null);
  const [showsTable, setShowsTable] = useState(false);
  const tree = useQuery(
    callTreeQuery(trace.id, {
      start: state.window?.start,
      end: state.window?.end,
      cpu: state.cpu,
      pid: state.pid,
      invert: state.order === 'bottom-up',
    }),
  );
  const answer = tree.data;
  const fileName = `${visibleText(trace.name)}-merged-calls`;
  const saveFolded = () => {
    if (answer) saveBlob(new Blob([foldedStacks(answer)], { type: 'text/plain' }), `${fileName}.folded`);
  };
  return (
    <>
      <GraphToolbar
        {...props}
        answer={answer}
        onTable={() => setShowsTable(true)}
        onPicture={(format) => chart.current?.save(format, fileName)}
        onFolded={saveFolded}
      />
      {tree.isError && (
        <ProblemNote problem={problemOf(tree.error)}>
          <Button onClick={() => void tree.refetch()}>Ask again</Button>
        </ProblemNote>
      )}
      {tree.isPending && <Loading what="the merged calls" />}
      {answer?.nodes.length === 0 && (
        <p className={styles.note}>No calls of these CPUs and tasks in this stretch.</p>
      )}
      {answer !== undefined && answer.nodes.length > 0 && !tree.isError && (
        <Graph {...props} chart={chart} answer={answer} isComplete={!tree.isPlaceholderData} />
      )}
      {showsTable && answer && (
        <GraphTable name={fileName} answer={answer} onClose={() => setShowsTable(false)} />
      )}
    </>
  );
}

interface GraphProps extends CallsPart {
  readonly answer: CallTreeAnswer;
  readonly isComplete: boolean;
  readonly chart: Ref<LaneChartHandle>;
}

function Graph({ trace, state, setState, answer, isComplete, chart }: GraphProps) {
  const { name, palette } = useTheme();
  const [hovered, setHovered] = useState<LaneHit>();
  const layout = useMemo(() => layoutTree(answer), [answer]);
  const scene = useMemo(
    () => flameGraphScene(layout, state.q, name, palette.line),
    [layout, state.q, name, palette],
  );
  const domain = useMemo<TimeWindow>(() => ({ start: 0, end: layout.total }), [layout]);
  const focused = useMemo(
    () => (state.focus === '' ? undefined : findPath(layout, state.focus)),
    [layout, state.focus],
  );
  // Where a path leads is in the URL; how one pans around in it is not.
  const live = useLiveWindow(focused?.window ?? domain, NOT_WRITTEN);
  const focus = useCallback(
    (placed: PlacedNode | undefined) =>
      setState({ focus: placed ? pathOf(answer, placed.index) : '' }, { history: 'push' }),
    [answer, setState],
  );
  const placedAt = (hit: LaneHit | undefined) =>
    hit?.item === undefined ? undefined : layout.rows[hit.row]?.[hit.item];
  useWindowKeys('Merged calls', live, domain, hovered?.at, () => focus(undefined));
  useKeys('Merged calls', [
    {
      keys: ['Escape', 'Backspace'],
      does: 'One function back out',
      run: () => setState({ focus: state.focus.split(';').slice(0, -1).join(';') }, { history: 'push' }),
    },
  ]);
  const selected = focused && {
    row: focused.node.depth,
    item: layout.rows[focused.node.depth]?.indexOf(focused.node) ?? -1,
    at: focused.window.start,
  };
  const ticksFor = useMemo(() => shareTicks(layout.total), [layout]);
  return (
    <div className={styles.main}>
      <div className={styles.plot}>
        <LaneChart
          ref={chart}
          scene={scene}
          window={live.window}
          domain={domain}
          ticksFor={ticksFor}
          label={`Function calls of ${visibleText(trace.name)}, merged by their stacks`}
          renderedMark={isComplete ? `${state.order} ${state.focus}` : undefined}
          gutter={0}
          hovered={hovered}
          selected={selected}
          onWindow={live.move}
          onSettled={live.settle}
          onArea={live.move}
          onHover={setHovered}
          onPick={(hit) => {
            const placed = placedAt(hit);
            if (placed) focus(placed);
          }}
          onOpen={() => focus(undefined)}
        />
      </div>
      <NodeStrip placed={placedAt(hovered) ?? focused?.node} answer={answer} />
    </div>
  );
}

const NOT_WRITTEN = () => undefined;
