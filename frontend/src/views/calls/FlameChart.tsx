import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { callQuery, type CallsAnswer } from '../../api/calls';
import { Button } from '../../components/button/Button';
import { LaneChart, type LaneChartHandle, type LaneHit } from '../../components/chart/LaneChart';
import { timeTicks } from '../../components/chart/timeTicks';
import { centreWindow, frameWindow, type TimeWindow } from '../../components/chart/timeWindow';
import { useElementSize } from '../../components/chart/useElementSize';
import { useLiveWindow } from '../../components/chart/useLiveWindow';
import { useWindowKeys } from '../../components/chart/useWindowKeys';
import { WindowText } from '../../components/chart/WindowText';
import { useKeys } from '../../components/keys/keys';
import { SidePanel } from '../../components/panel/SidePanel';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { Fact, Hint, Strip, Subject } from '../../components/strip/Strip';
import { Switch, SwitchGroup, Toolbar, ToolbarGap } from '../../components/toolbar/Toolbar';
import { durationText, exactNs, groupDigits, ns } from '../../lib/ns';
import { problemOf } from '../../lib/problem';
import { instantText, recordedOrigin } from '../../lib/stamp';
import { visibleText } from '../../lib/visibleText';
import { CallDetails } from './CallDetails';
import type { CallsPart } from './Calls';
import styles from './Calls.module.css';
import { callIdAt, findCall, neighbourCall, type CallRow } from './flameChart';
import { useFlameChart } from './useFlameChart';

const GUTTER_PX = 132;

/** Calls over time, stacked by depth, by CPU or by task. A click zooms to a call; a double click shows everything. */
export function FlameChart({ trace, state, setState, switches }: CallsPart) {
  const [size, attachSize] = useElementSize();
  const [hovered, setHovered] = useState<LaneHit>();
  const chart = useRef<LaneChartHandle>(null);
  const domain = useMemo(() => ({ start: 0, end: (trace.duration_ns ?? 0) + 1 }), [trace.duration_ns]);
  const commit = useCallback(
    (next: TimeWindow, history: 'push' | 'replace') => {
      const isWhole = next.start <= domain.start && next.end >= domain.end;
      const window = { start: ns(Math.round(next.start)), end: ns(Math.round(next.end)) };
      setState({ window: isWhole ? undefined : window }, { history });
    },
    [domain, setState],
  );
  const live = useLiveWindow(state.window ?? domain, commit);
  const flame = useFlameChart(trace, domain, live.window, Math.max(0, size.width - GUTTER_PX), state);
  const { rows, scene, answer } = flame;
  const selected = useMemo(
    () => (state.call && rows ? findCall(rows, state.call) : undefined),
    [rows, state.call],
  );

  const frame = (start: number, duration: number) => live.jump(frameWindow(start, start + duration, domain));
  useFrameLinkedCall(trace.id, state.call, state.window === undefined, frame);
  const pick = (hit: LaneHit | undefined) => {
    const item = hit?.item;
    const lane = hit && rows?.[hit.row]?.lane;
    if (hit === undefined || item === undefined || !lane) {
      setState({ call: undefined });
      return;
    }
    const call = rows && callIdAt(rows, hit);
    if (call !== undefined) setState({ call }, { history: 'push' });
    // Of a bucket, the longest call is what one wants to see.
    const isBucket = lane.detail === 'buckets';
    const start = isBucket ? lane.max_start?.[item] : lane.t[item];
    const duration = isBucket ? lane.max_ns?.[item] : lane.duration_ns[item];
    frame(start ?? 0, duration ?? 0);
  };
  const step = (direction: 'left' | 'right' | 'up' | 'down') => {
    const from = selected ?? hovered;
    const next = from && rows ? neighbourCall(rows, from, direction) : undefined;
    const call = next && rows ? callIdAt(rows, next) : undefined;
    if (next === undefined || call === undefined) return;
    setState({ call });
    chart.current?.reveal(next.row);
    if (next.at < live.window.start || next.at >= live.window.end)
      live.move(centreWindow(live.window, next.at, domain));
  };
  useWindowKeys('Calls over time', live, domain, hovered?.at);
  useKeys('Calls over time', [
    { keys: ['ArrowLeft'], does: 'Previous call at this depth', run: () => step('left') },
    { keys: ['ArrowRight'], does: 'Next call at this depth', run: () => step('right') },
    { keys: ['ArrowUp'], does: 'The caller', run: () => step('up') },
    { keys: ['ArrowDown'], does: 'What it calls', run: () => step('down') },
    { keys: ['Escape'], does: 'Drop the selection', run: () => setState({ call: undefined }) },
  ]);

  return (
    <>
      <Toolbar>
        {switches}
        <SwitchGroup name="Rows by">
          <Switch isOn={state.by === 'cpu'} onClick={() => setState({ by: 'cpu' })}>
            CPU
          </Switch>
          <Switch isOn={state.by === 'task'} onClick={() => setState({ by: 'task' })}>
            task
          </Switch>
        </SwitchGroup>
        <ToolbarGap />
        <WindowText window={live.window} isLoading={!flame.isComplete && flame.error === null} />
        <Button
          look="bare"
          label="Show the whole trace (F, or a double click)"
          onClick={() => live.jump(domain)}
        >
          Fit
        </Button>
        <Button
          look="bare"
          label="Save as a PNG picture"
          onClick={() => chart.current?.save('png', pictureName(trace.name))}
        >
          PNG
        </Button>
        <Button
          look="bare"
          label="Save as an SVG picture"
          onClick={() => chart.current?.save('svg', pictureName(trace.name))}
        >
          SVG
        </Button>
      </Toolbar>
      <div className={styles.body}>
        <div className={styles.main}>
          <div className={styles.plot} ref={attachSize}>
            {flame.error !== null && (
              <ProblemNote problem={problemOf(flame.error)}>
                <Button onClick={flame.retry}>Ask again</Button>
              </ProblemNote>
            )}
            {scene?.rows.length === 0 && (
              <p className={styles.note}>No calls of these CPUs and tasks here.</p>
            )}
            {scene !== undefined && scene.rows.length > 0 && flame.error === null && (
              <LaneChart
                ref={chart}
                scene={scene}
                window={live.window}
                domain={domain}
                ticksFor={timeTicks}
                label={`Function calls of ${visibleText(trace.name)} over time`}
                renderedMark={flame.isComplete ? `${live.window.start}-${live.window.end}` : undefined}
                gutter={GUTTER_PX}
                hovered={hovered}
                selected={selected}
                onWindow={live.move}
                onSettled={live.settle}
                onArea={(area) => live.move(area)}
                onHover={setHovered}
                onPick={pick}
                onOpen={() => live.jump(domain)}
              />
            )}
          </div>
          {rows && answer && (
            <CallStrip hit={hovered} rows={rows} answer={answer} originNs={recordedOrigin(trace)} />
          )}
        </div>
        {state.call !== undefined && (
          <SidePanel title="Call" onClose={() => setState({ call: undefined })}>
            <CallDetails
              trace={trace}
              id={state.call}
              onCall={(call) => {
                setState({ call: call.id }, { history: 'push' });
                frame(call.t, call.duration_ns);
              }}
            />
          </SidePanel>
        )}
      </div>
    </>
  );
}

const pictureName = (trace: string) => `${visibleText(trace)}-calls`;

/** A link that names a call and no window opens with that call filling the screen. */
function useFrameLinkedCall(
  trace: string,
  id: string | undefined,
  isOpen: boolean,
  frame: (start: number, duration: number) => void,
) {
  const found = useQuery({ ...callQuery(trace, id ?? ''), enabled: id !== undefined && isOpen });
  const call = found.data?.call;
  const framed = useRef<string>(undefined);
  const show = useRef(frame);
  useEffect(() => {
    show.current = frame;
  });
  useEffect(() => {
    if (!isOpen || call === undefined || framed.current === call.id) return;
    framed.current = call.id;
    show.current(call.t, call.duration_ns);
  }, [call, isOpen]);
}

interface CallStripProps {
  readonly hit: LaneHit | undefined;
  readonly rows: readonly CallRow[];
  readonly answer: CallsAnswer;
  readonly originNs: string | null;
}

function CallStrip({ hit, rows, answer, originNs }: CallStripProps) {
  const row = hit && rows[hit.row];
  if (hit === undefined || row === undefined) {
    return (
      <Strip testId="hover">
        <Hint>
          Point at a call for exact values · click zooms to it · double click shows the whole trace · ? lists
          the keys
        </Hint>
      </Strip>
    );
  }
  const { lane } = row;
  const index = hit.item;
  return (
    <Strip testId="hover">
      <Fact name="at">{instantText(hit.at, originNs)}</Fact>
      {lane && index !== undefined && (
        <>
          <Subject>{visibleText(answer.symbols[lane.symbol_idx[index] ?? -1] ?? '?')}</Subject>
          {lane.detail === 'buckets' ? (
            <>
              <Fact name="in">{durationText(ns(lane.duration_ns[index] ?? 0))}</Fact>
              <Fact name="calls">{groupDigits(lane.count?.[index] ?? 0)}</Fact>
              <Fact name="longest">{exactNs(ns(lane.max_ns?.[index] ?? 0))}</Fact>
            </>
          ) : (
            <>
              <Fact name="total">{exactNs(ns(lane.duration_ns[index] ?? 0))}</Fact>
              <Fact name="self">{exactNs(ns(lane.self_ns?.[index] ?? lane.duration_ns[index] ?? 0))}</Fact>
              <Fact name="depth">{row.depth}</Fact>
            </>
          )}
        </>
      )}
      <Fact name="in">{row.group}</Fact>
    </Strip>
  );
}
