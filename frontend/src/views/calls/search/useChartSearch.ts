import { useMemo, type RefObject } from 'react';
import type { CallsAnswer } from '../../../api/calls';
import type { LaneChartHandle } from '../../../components/chart/LaneChart';
import type { TraceWindow } from '../../../components/chart/useTraceWindow';
import { callIdAt, callStretch, type CallRow } from '../../../components/flame/flameChart';
import type { CallsPart } from '../Calls';
import { chartMatches } from './chartMatches';

interface SearchParts extends Pick<CallsPart, 'state' | 'setState'> {
  readonly rows: readonly CallRow[] | undefined;
  readonly answer: CallsAnswer | undefined;
  readonly view: TraceWindow;
  readonly chart: RefObject<LaneChartHandle | null>;
}

export interface ChartSearch {
  readonly count: number;
  /** Which of them is the selected call. */
  readonly current: number | undefined;
  readonly onStep: (match: number) => void;
}

/** What a search finds in the window, and the way through it: a call is selected, a cell opened on its longest call. */
export function useChartSearch({ state, setState, rows, answer, view, chart }: SearchParts): ChartSearch {
  const { window } = view.live;
  const matches = useMemo(
    () => (rows && answer ? chartMatches(rows, answer, window, state.q) : []),
    [rows, answer, window, state.q],
  );
  const current = matches.findIndex((hit) => rows && callIdAt(rows, hit) === state.call);
  const onStep = (match: number) => {
    const hit = matches[match];
    if (hit === undefined || rows === undefined) return;
    chart.current?.reveal(hit.row);
    const call = callIdAt(rows, hit);
    const stretch = callStretch(rows, hit);
    if (call !== undefined) setState({ call });
    else if (stretch) view.frame(stretch);
  };
  return {
    count: matches.length,
    current: current < 0 || state.call === undefined ? undefined : current,
    onStep,
  };
}
