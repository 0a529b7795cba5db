import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
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
import { SearchField } from '../../components/search/SearchField';
import { Fact, Hint, Strip, Subject } from '../../components/strip/Strip';
import { useTheme } from '../../components/theme/theme';
import { Switch, SwitchGroup, Toolbar, ToolbarGap } from '../../components/toolbar/Toolbar';
import { durationText, exactNs, groupDigits, ns } from '../../lib/ns';
import { problemOf } from '../../lib/problem';
import { visibleText } from '../../lib/visibleText';
import type { CallsPart } from './Calls';
import styles from './Calls.module.css';
import { findPath, flameGraphScene, layoutTree, matchedShare, pathOf, type PlacedNode } from './flameGraph';

/** Calls merged by their stacks: width is the share of the time. A click fills the screen with a function's subtree. */
export function FlameGraph(props: CallsPart) {
  const { trace, state } = props;
  const tree = useQuery(
    callTreeQuery(trace.id, {
      start: state.window?.start,
      end: state.window?.end,
      cpu: state.cpu,
      pid: state.pid,
      invert: state.order === 'bottom-up',
    }),
  );
  return (
    <>
      <GraphToolbar {...props} answer={tree.data} />
      {tree.isError && (
        <ProblemNote problem={problemOf(tree.error)}>
          <Button onClick={() => void tree.refetch()}>Ask again</Button>
        </ProblemNote>
      )}
      {tree.isPending && <Loading what="the merged calls" />}
      {tree.data?.nodes.length === 0 && (
        <p className={styles.note}>No calls of these CPUs and tasks in this stretch.</p>
      )}
      {tree.data !== undefined && tree.data.nodes.length > 0 && !tree.isError && (
        <Graph {...props} answer={tree.data} isComplete={!tree.isPlaceholderData} />
      )}
    </>
  );
}

interface GraphToolbarProps extends CallsPart {
  readonly answer: CallTreeAnswer | undefined;
}

function GraphToolbar({ state, setState, switches, answer }: GraphToolbarProps) {
  const matched = answer ? matchedShare(answer, state.q) : undefined;
  return (
    <Toolbar>
      <SearchField label="Search functions" value={state.q} onChange={(q) => setState({ q })} />
      {switches}
      <SwitchGroup name="Order">
        <Switch isOn={state.order === 'top-down'} onClick={() => setState({ order: 'top-down', focus: '' })}>
          callers first
        </Switch>
        <Switch
          isOn={state.order === 'bottom-up'}
          onClick={() => setState({ order: 'bottom-up', focus: '' })}
        >
          callees first
        </Switch>
      </SwitchGroup>
      {state.window && (
        <SwitchGroup name="Of">
          <span>{durationText(ns(state.window.end - state.window.start))}</span>
          <Switch isOn={false} onClick={() => setState({ window: undefined }, { history: 'push' })}>
            whole trace
          </Switch>
        </SwitchGroup>
      )}
      <ToolbarGap />
      {state.q !== '' && matched && answer && (
        <span data-testid="matched">
          {`${groupDigits(matched.functions)} matching ${matched.functions === 1 ? 'function' : 'functions'}: ${percent(matched.total_ns, answer.total_ns)} of ${durationText(ns(answer.total_ns))}`}
        </span>
      )}
      {answer?.truncated && (
        <span className={styles.quiet}>
          {`${groupDigits(answer.truncated.nodes)} small ones folded, ${percent(answer.truncated.total_ns, answer.total_ns)}`}
        </span>
      )}
    </Toolbar>
  );
}

const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)}\u202f%`;

interface GraphProps extends CallsPart {
  readonly answer: CallTreeAnswer;
  readonly isComplete: boolean;
}

function Graph({ trace, state, setState, answer, isComplete }: GraphProps) {
  const { name, palette } = useTheme();
  const [hovered, setHovered] = useState<LaneHit>();
  const chart = useRef<LaneChartHandle>(null);
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

function NodeStrip({
  placed,
  answer,
}: {
  readonly placed: PlacedNode | undefined;
  readonly answer: CallTreeAnswer;
}) {
  if (placed === undefined) {
    return (
      <Strip testId="hover">
        <Hint>
          {`${groupDigits(answer.call_count)} calls, ${durationText(ns(answer.total_ns))} · click fills the screen with a function · double click shows all`}
        </Hint>
      </Strip>
    );
  }
  const { node } = placed;
  const parent = node.parent === null ? undefined : answer.nodes[node.parent];
  return (
    <Strip testId="hover">
      <Subject>{visibleText(placed.symbol)}</Subject>
      <Fact name="of all">{percent(node.total_ns, answer.total_ns)}</Fact>
      {parent && <Fact name="of the one around it">{percent(node.total_ns, parent.total_ns)}</Fact>}
      <Fact name="total">{exactNs(ns(node.total_ns))}</Fact>
      <Fact name="self">{exactNs(ns(node.self_ns))}</Fact>
      <Fact name="calls">{groupDigits(node.count)}</Fact>
      <Spread name="min" value={node.min_ns} />
      <Spread name="median" value={node.p50_ns} />
      <Spread name="max" value={node.max_ns} />
    </Strip>
  );
}

/** Of calls that are merged anew, because only some of them are meant, the spread is not known. */
function Spread({ name, value }: { readonly name: string; readonly value: number | null }) {
  return value === null ? null : <Fact name={name}>{durationText(ns(value))}</Fact>;
}
