import type { Ref } from 'react';
import { LaneChart, type LaneChartHandle, type LaneHit } from '../../../components/chart/LaneChart';
import type { LaneMark } from '../../../components/chart/LaneOverlay';
import { ticksOf } from '../../../components/chart/timeTicks';
import { useElementSize } from '../../../components/chart/useElementSize';
import type { TraceWindow } from '../../../components/chart/useTraceWindow';
import { useClock } from '../../../components/clock/useClock';
import type { CallsAnswer } from '../../../components/flame/flameAnswer';
import { callStretch, type CallRow } from '../../../components/flame/flameChart';
import { FailedQuery } from '../../../components/problem/FailedQuery';
import { ViewLink } from '../../../components/ViewLink';
import { visibleText } from '../../../lib/visibleText';
import type { Trace } from '../../../api/types';
import { callsState } from '../../../viewState/calls';
import { paths } from '../../../viewState/paths';
import type { SetViewState } from '../../../viewState/useViewState';
import { useAreaDraft } from '../area/useAreaDraft';
import type { TimelineState } from '../../../viewState/timeline';
import styles from './CallLanes.module.css';

import { useCallLanes } from './useCallLanes';

/** The call under the pointer, with what says which it is. */
export interface PointedCall {
  readonly hit: LaneHit;
  readonly rows: readonly CallRow[];
  readonly answer: CallsAnswer;
}

interface CallLanesProps {
  /** Of the chart, where it is the only one. */
  readonly ref: Ref<LaneChartHandle> | undefined;
  readonly trace: Trace;
  readonly state: TimelineState;
  readonly setState: SetViewState<TimelineState>;
  readonly view: TraceWindow;
  readonly dragging: 'pan' | 'area';
  readonly marks: readonly LaneMark[];
  readonly gutter: number;
  readonly pointed: PointedCall | undefined;
  readonly onPoint: (pointed: PointedCall | undefined) => void;
}

/**
 * The calls of each CPU on the axis of the lanes, where those leave room: in a trace that has little else, the calls
 * say what ran. A click shows a call from its start to its end.
 */
export function CallLanes({ ref, ...props }: CallLanesProps) {
  const { trace, state, view, gutter, pointed, onPoint } = props;
  const clock = useClock();
  const [size, attachSize] = useElementSize();
  const calls = useCallLanes(
    trace,
    view,
    { width: Math.max(0, size.width - gutter), height: size.height },
    state.cpu,
  );
  const { rows, answer, scene, query } = calls;
  const { window, move, settle } = view.live;
  const { draft, setDraft, onSettled } = useAreaDraft(props.setState, settle);
  const inCalls = callsState.write({
    ...callsState.read({}).state,
    by: 'cpu',
    cpu: state.cpu,
    window: state.window,
  });
  return (
    <section className={styles.calls} aria-label="Calls">
      <header className={styles.head}>
        <h2>Calls</h2>
        <ViewLink to={paths.calls(trace.id)} search={inCalls}>
          Open in Calls
        </ViewLink>
      </header>
      <FailedQuery query={query} />
      <div className={styles.chart} ref={attachSize}>
        {rows && answer && scene && (
          <LaneChart
            {...(ref !== undefined && { ref })}
            scene={scene}
            window={window}
            domain={view.domain}
            ticksFor={ticksOf(clock)}
            label={`Calls of ${visibleText(trace.name)} on each CPU`}
            renderedMark={query.isPlaceholderData ? undefined : `${window.start}-${window.end}`}
            gutter={gutter}
            hovered={pointed?.hit}
            marks={props.marks}
            dragging={props.dragging}
            area={draft ?? state.area}
            onWindow={move}
            onSettled={onSettled}
            onArea={setDraft}
            onHover={(hit) => onPoint(hit && { hit, rows, answer })}
            onPick={(hit) => {
              const stretch = hit && callStretch(rows, hit);
              if (stretch) view.frame(stretch);
            }}
          />
        )}
      </div>
    </section>
  );
}
