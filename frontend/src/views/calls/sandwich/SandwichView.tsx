import { useEffect, useRef, useState } from 'react';
import type { LaneChartHandle, LaneHit } from '../../../components/chart/LaneChart';
import { useElementSize } from '../../../components/chart/useElementSize';
import { Loading } from '../../../components/Loading';
import { FailedQuery } from '../../../components/problem/FailedQuery';
import { visibleText } from '../../../lib/visibleText';
import type { CallsPart } from '../Calls';
import callsStyles from '../Calls.module.css';
import { GraphToolbar } from '../GraphToolbar';
import { InstancesPanel } from '../InstancesPanel';
import { MergedLanes } from '../MergedLanes';
import { NodePanel } from '../NodePanel';
import { NodeStrip } from '../NodeStrip';
import { graphMatches } from '../search/matches';
import { FunctionList, useListedFunctions } from './FunctionList';
import { isCaller, type Sandwich } from './sandwich';
import styles from './Sandwich.module.css';
import { SandwichTable } from './SandwichTable';
import { useSandwichChart, useSandwichTrees } from './useSandwich';

/** One function between its callers and what it calls, beside the list that it is chosen from, over all of its calls. */
export function SandwichView(props: CallsPart) {
  const { trace, state, setState } = props;
  const chart = useRef<LaneChartHandle>(null);
  const [showsTable, setShowsTable] = useState(false);
  const { sandwich, failed, isComplete } = useSandwichTrees(props);
  const fileName = `${visibleText(trace.name)}-${visibleText(state.of)}-callers-and-callees`;
  const isEmpty = sandwich !== undefined && sandwich.callees.nodes.length === 0;
  return (
    <>
      <GraphToolbar
        {...props}
        answer={sandwich?.callees}
        matches={sandwichMatches(sandwich, state.q)}
        onTable={() => setShowsTable(true)}
        onPicture={(format) => chart.current?.save(format, fileName)}
      />
      <div className={styles.sandwich}>
        <FunctionList {...props} />
        <div className={styles.main}>
          {state.of === '' && <FirstFunction {...props} />}
          {failed.isError && <FailedQuery query={failed} />}
          {state.of !== '' && sandwich === undefined && !failed.isError && (
            <Loading what="its callers and callees" />
          )}
          {isEmpty && (
            <p className={callsStyles.note}>
              No call of {visibleText(state.of)} matches these CPUs and tasks in this window.
            </p>
          )}
          {sandwich && !isEmpty && !failed.isError && (
            <Chart {...props} chart={chart} sandwich={sandwich} isComplete={isComplete} />
          )}
          {state.of !== '' && !isEmpty && (
            <InstancesPanel key={state.of} trace={trace} state={state} setState={setState} />
          )}
        </div>
      </div>
      {showsTable && sandwich && (
        <SandwichTable name={fileName} sandwich={sandwich} onClose={() => setShowsTable(false)} />
      )}
    </>
  );
}

/** Takes the first function of the list where none is chosen, so that the page is never blank; says so where there is none. */
function FirstFunction({ trace, state, setState }: CallsPart) {
  const functions = useListedFunctions(trace.id, state.q);
  const first = functions.data?.pages[0]?.items[0]?.symbol;
  useEffect(() => {
    if (first !== undefined) setState({ of: first });
  }, [first, setState]);
  if (first !== undefined || functions.isPending) return <Loading what="its callers and callees" />;
  return <p className={callsStyles.note}>Choose a function to see what calls it and what it calls.</p>;
}

interface ChartProps extends CallsPart {
  readonly sandwich: Sandwich;
  readonly isComplete: boolean;
  readonly chart: React.Ref<LaneChartHandle>;
}

const GUTTER_PX = 92;

function Chart({ trace, state, setState, sandwich, isComplete, chart }: ChartProps) {
  const [hovered, setHovered] = useState<LaneHit>();
  const [size, attachSize] = useElementSize();
  const drawn = useSandwichChart({ state, setState, sandwich, hovered, height: size.height });
  const { focused, placedAt } = drawn;
  const shown = placedAt(hovered) ? hovered : drawn.selected;
  const isAbove = shown !== undefined && isCaller(sandwich, shown.row);
  return (
    <div className={callsStyles.body}>
      <div className={callsStyles.main}>
        <div className={callsStyles.plot} ref={attachSize}>
          <MergedLanes
            chart={chart}
            drawn={drawn}
            label={`Callers and callees of ${visibleText(state.of)}`}
            renderedMark={isComplete ? `sandwich ${state.of} ${state.focus}` : undefined}
            gutter={GUTTER_PX}
            hovered={hovered}
            onHover={setHovered}
            onPick={drawn.focus}
            onOpen={() => drawn.zoomTo('')}
          />
        </div>
        <NodeStrip
          placed={placedAt(hovered) ?? focused?.node}
          answer={isAbove ? sandwich.callers : sandwich.callees}
          above={isAbove ? 'of what it calls' : undefined}
        />
      </div>
      <NodePanel
        {...{ trace, state, setState }}
        placed={focused?.node}
        totalNs={sandwich.total}
        isCaller={focused !== undefined && isCaller(sandwich, focused.row)}
      />
    </div>
  );
}

/** Callers first, as they are drawn; the function itself counts once. */
function sandwichMatches(sandwich: Sandwich | undefined, q: string) {
  if (sandwich === undefined) return [];
  const above = graphMatches(sandwich.callers, q).filter(({ node }) => node.parent !== null);
  return [
    ...above.map((match) => ({ ...match, path: `callers of: ${match.path}` })),
    ...graphMatches(sandwich.callees, q),
  ];
}
