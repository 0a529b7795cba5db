import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState, type Ref } from 'react';
import { callTreeQuery, type CallTreeAnswer } from '../../api/calls';
import { Button } from '../../components/button/Button';
import type { LaneChartHandle, LaneHit } from '../../components/chart/LaneChart';
import { useElementSize } from '../../components/chart/useElementSize';
import { Loading } from '../../components/Loading';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { saveBlob } from '../../lib/download';
import { visibleText } from '../../lib/visibleText';
import type { CallsPart } from './Calls';
import styles from './Calls.module.css';
import { foldedStacks } from './flameGraph';
import { GraphToolbar } from './GraphToolbar';
import { GraphTable } from './GraphTable';
import { MergedLanes } from './MergedLanes';
import { NodePanel } from './NodePanel';
import { NodeStrip } from './NodeStrip';
import { SandwichView } from './sandwich/SandwichView';
import { graphMatches } from './search/matches';
import { treeRequest } from './treeRequest';
import { useFlameGraph } from './useFlameGraph';

/** Calls merged: by stack from either end, or around one function. */
export function FlameGraph(props: CallsPart) {
  return props.state.order === 'sandwich' ? <SandwichView {...props} /> : <MergedStacks {...props} />;
}

/** Calls merged by stack: width is the share of the time. A click fills the screen with a function's subtree. */
function MergedStacks(props: CallsPart) {
  const { trace, state } = props;
  const chart = useRef<LaneChartHandle>(null);
  const [showsTable, setShowsTable] = useState(false);
  const tree = useQuery(
    callTreeQuery(trace.id, { ...treeRequest(state), invert: state.order === 'bottom-up' }),
  );
  const answer = tree.data;
  const matches = useMemo(() => graphMatches(answer, state.q), [answer, state.q]);
  const fileName = `${visibleText(trace.name)}-merged-calls`;
  const saveFolded = () => {
    if (answer) saveBlob(new Blob([foldedStacks(answer)], { type: 'text/plain' }), `${fileName}.folded`);
  };
  return (
    <>
      <GraphToolbar
        {...props}
        answer={answer}
        matches={matches}
        onTable={() => setShowsTable(true)}
        onPicture={(format) => chart.current?.save(format, fileName)}
        onFolded={saveFolded}
      />
      <FailedQuery query={tree} />
      {tree.isError && <WallTimeInstead state={state} setState={props.setState} />}
      {tree.isPending && <Loading what="the merged calls" />}
      {answer?.nodes.length === 0 && (
        <p className={styles.note}>No calls match these CPUs and tasks in this window.</p>
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

/** CPU time needs every single call, and a trace may have too many. */
function WallTimeInstead({ state, setState }: Pick<CallsPart, 'state' | 'setState'>) {
  if (state.time !== 'net') return null;
  return (
    <p className={styles.foot}>
      <Button onClick={() => setState({ time: 'gross' })}>Show wall times</Button>
    </p>
  );
}

interface GraphProps extends CallsPart {
  readonly answer: CallTreeAnswer;
  readonly isComplete: boolean;
  readonly chart: Ref<LaneChartHandle>;
}

function Graph({ trace, state, setState, answer, isComplete, chart }: GraphProps) {
  const [hovered, setHovered] = useState<LaneHit>();
  const [size, attachSize] = useElementSize();
  const graph = useFlameGraph({ state, setState, answer, hovered, height: size.height });
  const { placedAt, focus, focused } = graph;
  return (
    <div className={styles.body}>
      <div className={styles.main}>
        <div className={styles.plot} data-inset ref={attachSize}>
          <MergedLanes
            chart={chart}
            drawn={graph}
            label={`Function calls of ${visibleText(trace.name)}, merged by stack`}
            renderedMark={isComplete ? `${state.order} ${state.focus}` : undefined}
            gutter={0}
            hovered={hovered}
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
      <NodePanel
        {...{ trace, state, setState }}
        placed={focused?.node}
        totalNs={answer.total_ns}
        isCaller={state.order === 'bottom-up' && focused?.node.node.parent !== null}
      />
    </div>
  );
}
