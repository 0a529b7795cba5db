import { useEffect, useMemo, useRef, type RefObject } from 'react';
import type { LaneChartHandle, LaneHit } from '../../components/chart/LaneChart';
import { centreWindow } from '../../components/chart/timeWindow';
import type { TraceWindow } from '../../components/chart/useTraceWindow';
import type { CallsState } from '../../viewState/calls';
import type { SetViewState } from '../../viewState/useViewState';
import {
  callIdAt,
  callStretch,
  findCall,
  neighbourCall,
  type CallRow,
  type Direction,
} from '../../components/flame/flameChart';

interface SelectionParts {
  readonly state: CallsState;
  readonly setState: SetViewState<CallsState>;
  readonly rows: readonly CallRow[] | undefined;
  /** Whether all rows are where they will be. */
  readonly isSettled: boolean;
  readonly view: TraceWindow;
  readonly hovered: LaneHit | undefined;
  readonly chart: RefObject<LaneChartHandle | null>;
}

/** The selected call: where it is drawn, what a click makes of it, and where the arrow keys lead. */
export function useCallSelection({ state, setState, rows, isSettled, view, hovered, chart }: SelectionParts) {
  const selected = useMemo(
    () => (state.call && rows ? findCall(rows, state.call) : undefined),
    [rows, state.call],
  );
  const row = selected?.row;
  const revealed = useRef<string>(undefined);
  useEffect(() => {
    if (row === undefined || !isSettled || revealed.current === state.call) return;
    revealed.current = state.call;
    chart.current?.reveal(row);
  }, [chart, row, isSettled, state.call]);
  const pick = (hit: LaneHit | undefined) => {
    const stretch = hit && rows && callStretch(rows, hit);
    if (hit === undefined || stretch === undefined) {
      setState({ call: undefined });
      return;
    }
    const call = callIdAt(rows ?? [], hit);
    if (call !== undefined) setState({ call }, { history: 'push' });
    // One click is one step of Back.
    view.frame(stretch, call === undefined ? 'push' : 'replace');
  };
  const step = (direction: Direction) => {
    const from = selected ?? hovered;
    const next = from && rows ? neighbourCall(rows, from, direction) : undefined;
    const call = next && rows ? callIdAt(rows, next) : undefined;
    if (next === undefined || call === undefined) return;
    setState({ call });
    chart.current?.reveal(next.row);
    const { window, move } = view.live;
    if (next.at < window.start || next.at >= window.end) move(centreWindow(window, next.at, view.domain));
  };
  return { selected, pick, step };
}
