import { useMemo, type RefObject } from 'react';
import type { TraceEvent } from '../../api/events';
import type { LaneChartHandle, LaneHit } from '../../components/chart/LaneChart';
import { centreWindow } from '../../components/chart/timeWindow';
import type { TraceWindow } from '../../components/chart/useTraceWindow';
import { ns } from '../../lib/ns';
import type { TimelineState } from '../../viewState/timeline';
import type { SetViewState } from '../../viewState/useViewState';
import { findSlice, neighbourOf, sliceIdOf, type Direction } from './selection';
import type { TimelineData } from './useTimeline';

interface SelectionParts {
  readonly state: TimelineState;
  readonly setState: SetViewState<TimelineState>;
  readonly timeline: TimelineData;
  readonly view: TraceWindow;
  readonly hovered: LaneHit | undefined;
  readonly chart: RefObject<LaneChartHandle | null>;
}

/** What is selected: where it is drawn, what a click makes of it, and where the arrow keys lead. */
export function useTimelineSelection({ state, setState, timeline, view, hovered, chart }: SelectionParts) {
  const { lanes, answer } = timeline;
  const selected = useMemo(
    () => (state.slice && lanes ? findSlice(lanes, state.slice) : undefined),
    [lanes, state.slice],
  );
  const pick = (hit: LaneHit | undefined) => {
    const slice = hit && lanes && sliceIdOf(lanes, hit);
    setState({ slice, area: undefined, event: undefined }, { history: 'push' });
  };
  const pickEvent = ({ cpu, t }: TraceEvent) => {
    const event = { cpu: cpu ?? 0, t: ns(t) };
    setState({ event, slice: undefined, area: undefined }, { history: 'push' });
    view.live.move(centreWindow(view.live.window, t, view.domain));
  };
  const step = (direction: Direction) => {
    const from = selected ?? hovered;
    const next = from && lanes && answer ? neighbourOf(lanes, answer, from, direction) : undefined;
    if (next === undefined || lanes === undefined) return;
    setState({ slice: sliceIdOf(lanes, next), area: undefined, event: undefined });
    chart.current?.reveal(next.row);
    const { window, move } = view.live;
    if (next.at < window.start || next.at >= window.end) move(centreWindow(window, next.at, view.domain));
  };
  return { selected, pick, pickEvent, step };
}
