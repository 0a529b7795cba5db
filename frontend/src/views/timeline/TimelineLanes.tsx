import type { Ref } from 'react';
import { LaneChart, type LaneChartHandle, type LaneHit } from '../../components/chart/LaneChart';
import { itemStretch } from '../../components/chart/laneScene';
import { ticksOf } from '../../components/chart/timeTicks';
import { useClock } from '../../components/clock/useClock';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { problemOf } from '../../lib/problem';
import { visibleText } from '../../lib/visibleText';
import { useAreaDraft } from './area/useAreaDraft';
import { ArrowLayer } from './arrows/ArrowLayer';
import { CaseMarks } from './cases/CaseMarks';
import { HitTicks } from './hits/HitTicks';
import { LaneHandles } from './lanes/LaneHandles';
import { ALL_LANES } from './lanes/useLaneArrangement';
import { CriticalPath } from './path/CriticalPath';
import type { TimelineParts } from './useTimelineParts';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { Command } from '../../components/Command';
import { ViewLink } from '../../components/ViewLink';
import { paths } from '../../viewState/paths';
import styles from './Timeline.module.css';

interface TimelineLanesProps extends Pick<
  TimelineParts,
  | 'trace'
  | 'timeline'
  | 'cases'
  | 'arrows'
  | 'hits'
  | 'view'
  | 'state'
  | 'setState'
  | 'selected'
  | 'arrangement'
  | 'marks'
  | 'hovered'
  | 'setHovered'
  | 'showRows'
> {
  readonly ref: Ref<LaneChartHandle>;
  readonly gutter: number;
  readonly dragging: 'pan' | 'area';
  readonly onPick: (hit: LaneHit | undefined) => void;
}

/** The lanes, or what is in their way. */
export function TimelineLanes({ ref, ...props }: TimelineLanesProps) {
  const clock = useClock();
  const { trace, timeline, view, state, setState } = props;
  const { scene, lanes, error } = timeline;
  const opened = props.cases.opened.data;
  const { window, move, settle } = view.live;
  const { draft, setDraft, onSettled } = useAreaDraft(setState, settle);
  if (scene === undefined) {
    return error === null ? null : <ProblemNote problem={problemOf(error)} onRetry={timeline.retry} />;
  }
  if (timeline.hasNothing) {
    // What is recorded may be switched off.
    if (timeline.kinds.length === 0) return <NoLanes trace={trace} />;
    return <NoLanesShown onShow={() => setState({ ...ALL_LANES, cpu: [] }, { history: 'push' })} />;
  }
  if (scene.rows.length === 0) return null;
  return (
    <LaneChart
      ref={ref}
      gutter={props.gutter}
      dragging={props.dragging}
      hovered={props.hovered}
      selected={props.selected}
      marks={props.marks}
      scene={scene}
      window={window}
      domain={view.domain}
      ticksFor={ticksOf(clock)}
      label={`Timeline of ${visibleText(trace.name)}`}
      renderedMark={timeline.isComplete ? `${window.start}-${window.end}` : undefined}
      area={draft ?? state.area}
      onWindow={move}
      onSettled={onSettled}
      onArea={setDraft}
      onHover={props.setHovered}
      onRows={props.showRows}
      onPick={props.onPick}
      renderGutter={({ scroll }) =>
        lanes && (
          <LaneHandles {...{ lanes, scene, scroll }} window={view.settled} arrangement={props.arrangement} />
        )
      }
      renderOver={(place) =>
        lanes && (
          <>
            {opened && state.case !== '' && (
              <CaseMarks latencyCase={opened} {...{ lanes, scene, window, place }} />
            )}
            {opened && state.case !== '' && state.path === 'shown' && (
              <CriticalPath latencyCase={opened} {...{ lanes, scene, window, place }} />
            )}
            <HitTicks traceId={trace.id} hits={props.hits} {...{ lanes, scene, window, place }} />
            <ArrowLayer {...props.arrows} {...{ lanes, scene, window, place }} />
          </>
        )
      }
      onOpen={(hit) => {
        const stretch = itemStretch(scene, hit?.row, hit?.item);
        if (stretch) view.frame(stretch);
      }}
    />
  );
}

function NoLanesShown({ onShow }: { readonly onShow: () => void }) {
  return (
    <section className={styles.empty}>
      <h2>All lanes are hidden</h2>
      <Button onClick={onShow}>Show all lanes</Button>
    </section>
  );
}

/** What there is instead of lanes, and what to record so that there is something to see. */
function NoLanes({ trace }: { readonly trace: Trace }) {
  return (
    <section className={styles.empty}>
      <h2>No lanes to draw</h2>
      {(trace.call_count ?? 0) > 0 && (
        <p>
          This trace has function calls: <ViewLink to={paths.calls(trace.id)}>see them over time</ViewLink>.
        </p>
      )}
      <p>
        {(trace.event_count ?? 0) > 0
          ? 'The events of this trace are listed below, but none marks the start or the end of anything. Scheduling and interrupt events do:'
          : 'No event of this trace marks the start or the end of anything. Scheduling and interrupt events do:'}
      </p>
      <Command text="trace-cmd record -e sched:sched_switch -e sched:sched_waking -e irq -e irq_vectors -e power:cpu_idle" />
    </section>
  );
}
