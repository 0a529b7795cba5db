import { useState, type Ref } from 'react';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { LaneChart, type LaneChartHandle, type LaneHit } from '../../components/chart/LaneChart';
import type { LaneMark } from '../../components/chart/LaneOverlay';
import { itemStretch } from '../../components/chart/laneScene';
import { timeTicks } from '../../components/chart/timeTicks';
import type { TimeWindow } from '../../components/chart/timeWindow';
import type { TraceWindow } from '../../components/chart/useTraceWindow';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { ns } from '../../lib/ns';
import { problemOf } from '../../lib/problem';
import { visibleText } from '../../lib/visibleText';
import type { TimelineState } from '../../viewState/timeline';
import type { SetViewState } from '../../viewState/useViewState';
import { NoLanes } from './NoLanes';
import type { TimelineData } from './useTimeline';

interface TimelineLanesProps {
  readonly trace: Trace;
  readonly timeline: TimelineData;
  readonly view: TraceWindow;
  readonly state: TimelineState;
  readonly setState: SetViewState<TimelineState>;
  readonly gutter: number;
  readonly dragging: 'pan' | 'area';
  readonly hovered: LaneHit | undefined;
  readonly selected: LaneHit | undefined;
  readonly marks: readonly LaneMark[];
  readonly onHover: (hit: LaneHit | undefined) => void;
  readonly onPick: (hit: LaneHit | undefined) => void;
  readonly ref: Ref<LaneChartHandle>;
}

/** The lanes, or what is in their way. The area that is being dragged lives here until the button is let go. */
export function TimelineLanes({ trace, timeline, view, state, setState, ref, ...chart }: TimelineLanesProps) {
  const [draft, setDraft] = useState<TimeWindow>();
  const { scene, error } = timeline;
  const { window, move, settle } = view.live;
  if (scene === undefined) {
    return error === null ? null : (
      <ProblemNote problem={problemOf(error)}>
        <Button onClick={timeline.retry}>Ask again</Button>
      </ProblemNote>
    );
  }
  if (scene.rows.length === 0) return <NoLanes trace={trace} />;
  const settleAll = () => {
    if (draft) {
      const drawn = { start: ns(draft.start), end: ns(Math.max(draft.end, draft.start + 1)) };
      setState({ area: drawn, slice: undefined }, { history: 'push' });
    }
    setDraft(undefined);
    settle();
  };
  return (
    <LaneChart
      {...chart}
      ref={ref}
      scene={scene}
      window={window}
      domain={view.domain}
      ticksFor={timeTicks}
      label={`Timeline of ${visibleText(trace.name)}`}
      renderedMark={timeline.isComplete ? `${window.start}-${window.end}` : undefined}
      area={draft ?? state.area}
      onWindow={move}
      onSettled={settleAll}
      onArea={setDraft}
      onOpen={(hit) => {
        const stretch = itemStretch(scene, hit?.row, hit?.item);
        if (stretch) view.frame(stretch);
      }}
    />
  );
}
