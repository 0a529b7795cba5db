import { useMemo, useRef, useState, type Ref } from 'react';
import type { Trace } from '../../api/types';
import {
  LaneChart,
  type LaneChartHandle,
  type LaneChartProps,
  type LaneHit,
} from '../../components/chart/LaneChart';
import type { LaneRow } from '../../components/chart/laneScene';
import { useClock } from '../../components/clock/useClock';
import { ticksOf } from '../../components/chart/timeTicks';
import { useElementSize } from '../../components/chart/useElementSize';
import { useTraceWindow, type TraceWindow } from '../../components/chart/useTraceWindow';
import { SidePanel } from '../../components/panel/SidePanel';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { problemOf } from '../../lib/problem';
import { recordedOrigin } from '../../lib/stamp';
import { visibleText } from '../../lib/visibleText';
import { CallDetails } from './CallDetails';
import type { CallsPart } from './Calls';
import styles from './Calls.module.css';
import { CallStrip } from '../../components/flame/CallStrip';
import { CallTable } from './CallTable';
import { FlameToolbar } from './FlameToolbar';
import { insideCall } from './insideCall';
import { useCallSelection } from './useCallSelection';
import { useChartSearch } from './search/useChartSearch';
import { useFlameChart, useFlameKeys, useFrameLinkedCall, type FlameChartData } from './useFlameChart';

const GUTTER_PX = 140;
/** On a phone the names of lanes take what they need, and not a third of the width. */
const PHONE_PX = 560;
const LEAST_GUTTER_PX = 72;
const LETTER_PX = 7.5;
const NAME_MARGIN_PX = 24;

function gutterFor(widthPx: number, rows: readonly Pick<LaneRow, 'group'>[]): number {
  if (widthPx >= PHONE_PX) return GUTTER_PX;
  const longest = rows.reduce((most, { group }) => Math.max(most, group?.length ?? 0), 0);
  return Math.min(GUTTER_PX, Math.max(LEAST_GUTTER_PX, NAME_MARGIN_PX + LETTER_PX * longest));
}

/** Calls over time, stacked by depth, by CPU or by task. A click zooms to a call; a double click shows everything. */
export function FlameChart({ trace, state, setState, switches }: CallsPart) {
  const [size, attachSize] = useElementSize();
  const [hovered, setHovered] = useState<LaneHit>();
  const [showsTable, setShowsTable] = useState(false);
  const chart = useRef<LaneChartHandle>(null);
  const view = useTraceWindow(trace.duration_ns, state.window, setState);
  const { live, domain } = view;
  const flame = useFlameChart(
    trace,
    domain,
    live.window,
    { width: Math.max(0, size.width - GUTTER_PX), height: size.height },
    state,
  );
  const { rows, answer, error, isSettled } = flame;
  const { selected, pick, step } = useCallSelection({
    state,
    setState,
    rows,
    isSettled,
    view,
    hovered,
    chart,
  });
  const search = useChartSearch({ state, setState, rows, answer, view, chart });
  useFrameLinkedCall(trace.id, state.call, state.window === undefined, view.frame);
  useFlameKeys({ view, setState, anchor: hovered?.at, step });
  const fileName = `${visibleText(trace.name)}-calls`;
  return (
    <>
      <FlameToolbar
        state={state}
        setState={setState}
        switches={switches}
        view={view}
        search={search}
        isLoading={!flame.isComplete && error === null}
        onTable={() => setShowsTable(true)}
        onPicture={(format) => chart.current?.save(format, fileName)}
      />
      <div className={styles.body}>
        <div className={styles.main}>
          <div className={styles.plot} ref={attachSize}>
            <FlameLanes
              {...{ trace, flame, view, chart, hovered, selected }}
              widthPx={size.width}
              onHover={setHovered}
              onPick={pick}
            />
          </div>
          {rows && answer && (
            <CallStrip
              hit={hovered}
              rows={rows}
              answer={answer}
              originNs={recordedOrigin(trace)}
              whole="the whole trace"
            />
          )}
        </div>
        <CallPanel trace={trace} state={state} setState={setState} onFrame={view.frame} flame={flame} />
      </div>
      {showsTable && rows && answer && (
        <CallTable
          {...{ name: fileName, rows, answer, window: live.window }}
          onClose={() => setShowsTable(false)}
        />
      )}
    </>
  );
}

interface FlameLanesProps extends Pick<LaneChartProps, 'hovered' | 'selected' | 'onHover' | 'onPick'> {
  readonly trace: Trace;
  readonly flame: FlameChartData;
  readonly view: TraceWindow;
  readonly chart: Ref<LaneChartHandle>;
  readonly widthPx: number;
}

/** The calls, or what is in their way. */
function FlameLanes({ trace, flame, view: { live, domain }, chart, widthPx, ...pointing }: FlameLanesProps) {
  const clock = useClock();
  const { scene, error, isComplete } = flame;
  if (error !== null) {
    return <ProblemNote problem={problemOf(error)} onRetry={flame.retry} />;
  }
  if (scene === undefined) return null;
  if (scene.rows.length === 0) return <p className={styles.note}>No calls match these CPUs and tasks.</p>;
  return (
    <LaneChart
      {...pointing}
      ref={chart}
      scene={scene}
      window={live.window}
      domain={domain}
      ticksFor={ticksOf(clock)}
      label={`Function calls of ${visibleText(trace.name)} over time`}
      renderedMark={isComplete ? `${live.window.start}-${live.window.end}` : undefined}
      gutter={gutterFor(widthPx, scene.rows)}
      onWindow={live.move}
      onSettled={live.settle}
      onArea={live.move}
      onOpen={() => live.jump(domain)}
    />
  );
}

interface CallPanelProps extends Pick<CallsPart, 'trace' | 'state' | 'setState'> {
  readonly onFrame: TraceWindow['frame'];
  readonly flame: FlameChartData;
}

/** The call that is picked, at the side; its relatives lead on. */
function CallPanel({ trace, state, setState, onFrame, flame: { rows, answer } }: CallPanelProps) {
  const { call } = state;
  const inside = useMemo(
    () => (rows && answer && call !== undefined ? insideCall(rows, answer, call) : undefined),
    [rows, answer, call],
  );
  if (state.call === undefined) return null;
  return (
    <SidePanel title="Call" onClose={() => setState({ call: undefined })}>
      <CallDetails
        trace={trace}
        id={state.call}
        inside={inside}
        onInside={(id) => setState({ call: id }, { history: 'push' })}
        onCall={({ id, t, duration_ns }) => {
          setState({ call: id }, { history: 'push' });
          onFrame({ start: t, end: t + duration_ns }, 'replace');
        }}
      />
    </SidePanel>
  );
}
