import { useMemo, useRef, useState } from 'react';
import type { Trace } from '../../api/types';
import type { LaneChartHandle, LaneHit } from '../../components/chart/LaneChart';
import { useElementSize } from '../../components/chart/useElementSize';
import { useTraceWindow } from '../../components/chart/useTraceWindow';
import { SplitPane } from '../../components/panel/SplitPane';
import { SearchField } from '../../components/search/SearchField';
import { recordedOrigin } from '../../lib/stamp';
import { visibleText } from '../../lib/visibleText';
import { timelineState } from '../../viewState/timeline';
import { useViewState } from '../../viewState/useViewState';
import { EventPane } from './EventPane';
import { HoverStrip } from './HoverStrip';
import { LaneTable } from './LaneTable';
import { Minimap } from './Minimap';
import styles from './Timeline.module.css';
import { TimelineLanes } from './TimelineLanes';
import { timelineMarks } from './timelineMarks';
import { TimelinePanel } from './TimelinePanel';
import { TimelineToolbar } from './TimelineToolbar';
import { useTimelineSelection } from './useTimelineSelection';
import { useTimeline } from './useTimeline';
import { useTimelineKeys } from './useTimelineKeys';

const GUTTER_PX = 132;
const NO_NOTES: readonly never[] = [];

/** Lanes over time with all that belongs to them. The window moves here; everything else is in the URL. */
export function Timeline({ trace }: { readonly trace: Trace }) {
  const [state, setState] = useViewState(timelineState);
  const [size, attachSize] = useElementSize();
  const [hovered, setHovered] = useState<LaneHit>();
  const [eventAt, setEventAt] = useState<number>();
  const [dragging, setDragging] = useState<'pan' | 'area'>('pan');
  const [showsTable, setShowsTable] = useState(false);
  const chart = useRef<LaneChartHandle>(null);

  const view = useTraceWindow(trace.duration_ns, state.window, setState);
  const { live, domain } = view;
  const timeline = useTimeline(trace, domain, live.window, Math.max(0, size.width - GUTTER_PX), state);
  const { scene, lanes, answer } = timeline;
  const selection = useTimelineSelection({ state, setState, timeline, view, hovered, chart });
  const { selected, step } = selection;
  useTimelineKeys({ view, state, setState, selected, scene, hovered, step });

  const { a, b, event } = state;
  const marked = eventAt ?? event?.t;
  const notes = answer?.notes ?? NO_NOTES;
  const marks = useMemo(() => timelineMarks({ a, b, event: marked, notes }), [a, b, marked, notes]);
  const fileName = `${visibleText(trace.name)}-timeline`;
  const parts = { trace, timeline, view, state, setState, selected, dragging, hovered, marks };
  const events = state.events === 'shown' && (
    <EventPane
      trace={trace}
      window={view.settled}
      cpu={state.cpu}
      q={state.q}
      selected={event}
      onSelect={selection.pickEvent}
      onHover={setEventAt}
      onClose={() => setState({ events: 'hidden' })}
    />
  );
  return (
    <div className={styles.page}>
      <SearchField label="Filter events" value={state.q} onChange={(q) => setState({ q, events: 'shown' })} />
      <TimelineToolbar
        {...parts}
        onDragging={setDragging}
        onTable={() => setShowsTable(true)}
        onPicture={(format) => chart.current?.save(format, fileName)}
      />
      <div className={styles.main}>
        <Minimap overview={timeline.overview} view={view} gutter={GUTTER_PX} />
        <SplitPane name="timeline.events" lower={events || undefined}>
          <div className={styles.lanes} ref={attachSize}>
            <TimelineLanes
              {...parts}
              ref={chart}
              gutter={GUTTER_PX}
              onHover={setHovered}
              onPick={selection.pick}
            />
          </div>
          {lanes && answer && (
            <HoverStrip
              hit={hovered}
              lanes={lanes}
              answer={answer}
              originNs={recordedOrigin(trace)}
              cursors={state}
            />
          )}
        </SplitPane>
      </div>
      <TimelinePanel trace={trace} state={state} setState={setState} onFrame={view.frame} />
      {showsTable && lanes && answer && (
        <LaneTable
          name={fileName}
          lanes={lanes}
          answer={answer}
          window={live.window}
          onClose={() => setShowsTable(false)}
        />
      )}
    </div>
  );
}
