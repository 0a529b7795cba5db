import { useMemo, useRef, useState } from 'react';
import type { Trace } from '../../api/types';
import type { LaneChartHandle, LaneHit } from '../../components/chart/LaneChart';
import { useTraceWindow } from '../../components/chart/useTraceWindow';
import { timelineState } from '../../viewState/timeline';
import { useViewState } from '../../viewState/useViewState';
import { timelineMarks } from './timelineMarks';
import { useTimeline } from './useTimeline';
import { useTimelineKeys } from './useTimelineKeys';
import { useTimelineSelection } from './useTimelineSelection';

const NO_NOTES: readonly never[] = [];

export type TimelineParts = ReturnType<typeof useTimelineParts>;

/** What the parts of the page share: its address, the window, what stands in it, and what is picked or pointed at. */
export function useTimelineParts(trace: Trace, width: number) {
  const [state, setState] = useViewState(timelineState);
  const [hovered, setHovered] = useState<LaneHit>();
  const [eventAt, setEventAt] = useState<number>();
  const chart = useRef<LaneChartHandle>(null);
  const view = useTraceWindow(trace.duration_ns, state.window, setState);
  const timeline = useTimeline(trace, view.domain, view.live.window, width, state);
  const selection = useTimelineSelection({ state, setState, timeline, view, hovered, chart });
  const { selected, step } = selection;
  useTimelineKeys({ view, state, setState, selected, scene: timeline.scene, hovered, step });

  const { a, b, event } = state;
  const marked = eventAt ?? event?.t;
  const notes = timeline.answer?.notes ?? NO_NOTES;
  const marks = useMemo(() => timelineMarks({ a, b, event: marked, notes }), [a, b, marked, notes]);
  return {
    trace,
    state,
    setState,
    view,
    timeline,
    selection,
    selected,
    marks,
    chart,
    hovered,
    setHovered,
    setEventAt,
  };
}
