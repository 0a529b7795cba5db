import { useState } from 'react';
import type { Trace } from '../../api/types';
import { useElementSize } from '../../components/chart/useElementSize';
import { SplitPane } from '../../components/panel/SplitPane';
import { SearchField } from '../../components/search/SearchField';
import { Strip } from '../../components/strip/Strip';
import { hasLanes } from '../../lib/hasLanes';
import { recordedOrigin } from '../../lib/stamp';
import { visibleText } from '../../lib/visibleText';
import { CallStrip } from '../../components/flame/CallStrip';
import { CallLanes, type PointedCall } from './calls/CallLanes';
import { CaseDots } from './cases/CaseDots';
import { OpenedCase } from './cases/OpenedCase';
import { EventPane } from './EventPane';
import { HoverStrip } from './HoverStrip';
import { NotDrawnNote } from './lanes/NotDrawnNote';
import { LaneTable } from './LaneTable';
import { Minimap } from './Minimap';
import styles from './Timeline.module.css';
import { TimelineLanes } from './TimelineLanes';
import { TimelineToolbar } from './TimelineToolbar';
import { useGutter } from './useGutter';
import { hasManyEvents, useTimelineParts, type TimelineParts } from './useTimelineParts';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { SidePanel } from '../../components/panel/SidePanel';
import { ns } from '../../lib/ns';
import { AreaDetails } from './area/AreaDetails';
import type { TraceEvent } from '../../api/events';
import { ArrowLinks } from './arrows/ArrowLinks';
import { SelectedEvent } from './arrows/SelectedEvent';
import { useSlice, useSliceEnds } from './slice/useSlice';
import { suggestedFilters, useEventNames } from './hits/eventNames';
import { SliceDetails } from './SliceDetails';
import { useParams } from '@tanstack/react-router';
import { useTrace } from '../../api/traces';
import { TraceGate } from '../../components/TraceGate';

/** A trace of a few events leaves its lanes the room that a long list would take. */
function eventRoom(trace: Trace): { readonly lowerPx?: number } {
  if (hasManyEvents(trace)) return {};
  return { lowerPx: EVENT_HEAD_PX + Math.max(LEAST_EVENT_ROWS, trace.event_count ?? 0) * EVENT_ROW_PX };
}

/** What the lanes can use; in their place, as much as it takes to say that there are none. */
function upperMost({ timeline: { hasNothing, mostPx } }: TimelineParts): number | 'max-content' | undefined {
  if (hasNothing) return 'max-content';
  return mostPx === undefined ? undefined : mostPx + STRIP_PX;
}

/** A line in the strip under the lanes, and the line above it. */
const STRIP_PX = 25;
const EVENT_HEAD_PX = 56;
const EVENT_ROW_PX = 24;
const LEAST_EVENT_ROWS = 2;

/** Lanes over time with all that belongs to them. The window moves here; everything else is in the URL. */
export function Timeline({ trace }: { readonly trace: Trace }) {
  const [size, attachSize] = useElementSize();
  const [dragging, setDragging] = useState<'pan' | 'area'>('pan');
  const [showsTable, setShowsTable] = useState(false);
  const [pointed, setPointed] = useState<PointedCall>();
  const gutter = useGutter();
  const parts = useTimelineParts(trace, {
    width: Math.max(0, size.width - gutter),
    height: size.height,
  });
  const { state, setState, view, timeline, selection, chart } = parts;
  const { lanes, answer } = timeline;
  const eventNames = useEventNames(trace.id);
  const fileName = `${visibleText(trace.name)}-timeline`;
  return (
    <div className={styles.page}>
      <h1 className="unseen">{`Timeline of ${visibleText(trace.name)}`}</h1>
      <SearchField
        label="Filter events"
        value={state.q}
        onChange={(q) => setState({ q, events: 'shown' })}
        suggestions={suggestedFilters(state.q, eventNames.names)}
      />
      <TimelineToolbar
        {...parts}
        dragging={dragging}
        onDragging={setDragging}
        onTable={() => setShowsTable(true)}
        onPicture={(format) => chart.current?.save(format, fileName)}
      />
      <div className={styles.main}>
        {hasLanes(trace) && <Minimap overview={timeline.overview} view={view} gutter={gutter} />}
        <CaseRows {...parts} gutter={gutter} />
        {timeline.notDrawn && (
          <NotDrawnNote {...timeline.notDrawn} onShow={(cpu) => setState({ cpu }, { history: 'push' })} />
        )}
        <SplitPane
          name="timeline.events"
          lower={state.events === 'shown' ? <Events {...parts} /> : undefined}
          upperMost={upperMost(parts)}
          {...eventRoom(trace)}
        >
          <div className={styles.lanes} ref={attachSize}>
            <div style={{ height: timeline.callsPx > 0 ? size.height - timeline.callsPx : '100%' }}>
              <TimelineLanes
                {...parts}
                ref={chart}
                dragging={dragging}
                gutter={gutter}
                onPick={selection.pick}
              />
            </div>
            {timeline.callsPx > 0 && (
              <div style={{ height: timeline.callsPx }}>
                <CallLanes
                  {...parts}
                  ref={lanes?.length === 0 ? chart : undefined}
                  dragging={dragging}
                  gutter={gutter}
                  pointed={pointed}
                  onPoint={setPointed}
                />
              </div>
            )}
          </div>
          <Pointed {...parts} call={pointed} />
        </SplitPane>
      </div>
      <TimelinePanel {...parts} onFrame={view.frame} onStep={selection.step} onEvent={selection.showEvent} />
      {showsTable && lanes && answer && (
        <LaneTable
          name={fileName}
          lanes={lanes}
          answer={answer}
          window={view.live.window}
          onClose={() => setShowsTable(false)}
        />
      )}
    </div>
  );
}

interface CaseRowsProps extends TimelineParts {
  readonly gutter: number;
}

/** The worst cases as dots, and the one that was opened as a ruler, both on the axis of the lanes. */
function CaseRows({ trace, cases, state, setState, view, gutter }: CaseRowsProps) {
  const common = { cases, window: view.live.window, gutter };
  return (
    <>
      <CaseDots
        {...common}
        opened={state.case}
        onKind={(kind) => setState({ cases: kind }, { history: 'push' })}
      />
      {state.case !== '' && (
        <OpenedCase
          {...common}
          traceId={trace.id}
          onFrame={view.frame}
          onClose={() => setState({ case: '' }, { history: 'push' })}
        />
      )}
    </>
  );
}

/** The events of the stretch that the lanes show. */
function Events({ trace, view, state, setState, selection, hits, setEventAt }: TimelineParts) {
  const { slice } = useSlice(trace.id, state.slice);
  const ends = useSliceEnds(trace.id, slice?.span);
  return (
    <EventPane
      trace={trace}
      hits={hits}
      window={view.settled}
      cpu={state.cpu}
      q={state.q}
      selected={state.event}
      ends={ends}
      from={state.slice?.t ?? state.area?.start}
      onSelect={selection.pickEvent}
      onHover={setEventAt}
      onTask={(pid) => setState({ tasks: [...new Set([...state.tasks, pid])] }, { history: 'push' })}
      onClose={() => setState({ events: 'hidden' })}
    />
  );
}

/** What the pointer is at, in words. */
function Pointed({
  trace,
  timeline: { lanes, answer, hasNothing },
  hovered,
  state,
  call,
}: TimelineParts & { readonly call: PointedCall | undefined }) {
  if (hasNothing) return null;
  // Its place is kept, or the lanes would be laid out twice.
  if (!lanes || !answer) return hasLanes(trace) ? <Strip>{null}</Strip> : null;
  if (call) return <CallStrip {...call} originNs={recordedOrigin(trace)} whole="the whole trace" />;
  return (
    <HoverStrip
      hit={hovered}
      lanes={lanes}
      answer={answer}
      originNs={recordedOrigin(trace)}
      cursors={state}
    />
  );
}

interface TimelinePanelProps extends Pick<
  TimelineParts,
  'trace' | 'state' | 'setState' | 'shownTasks' | 'arrows' | 'place' | 'goAlong'
> {
  readonly onFrame: (stretch: TimeWindow) => void;
  readonly onStep: (direction: 'left' | 'right') => void;
  readonly onEvent: (event: TraceEvent) => void;
}

/** Details of the selected slice or stretch; nothing where none is. */
function TimelinePanel({ onFrame, onStep, onEvent, ...parts }: TimelinePanelProps) {
  const { trace, state, setState, shownTasks, arrows, place, goAlong } = parts;
  const { slice, area, event } = state;
  if (slice === undefined && area === undefined && event === undefined) return null;
  return (
    <SidePanel
      title="Details"
      onClose={() => setState({ slice: undefined, area: undefined, event: undefined })}
    >
      {slice && (
        <SliceDetails
          traceId={trace.id}
          originNs={recordedOrigin(trace)}
          id={slice}
          onFrame={onFrame}
          onStep={onStep}
          onEvent={onEvent}
          onMark={({ start, end }) => setState({ a: ns(start), b: ns(end) })}
          shownTasks={shownTasks}
          onTask={(pid) => setState({ tasks: [...new Set([...state.tasks, pid])] }, { history: 'push' })}
        />
      )}
      {slice === undefined && event && (
        <SelectedEvent
          traceId={trace.id}
          originNs={recordedOrigin(trace)}
          id={event}
          onTask={(pid) => setState({ tasks: [...new Set([...state.tasks, pid])] }, { history: 'push' })}
        />
      )}
      {place && <ArrowLinks {...arrows} place={place} onGo={goAlong} />}
      {area && <AreaDetails {...{ trace, area, state, setState, onFrame }} />}
    </SidePanel>
  );
}

/** The timeline page. */
export default function TimelineView() {
  const { trace: id = '' }: { readonly trace?: string } = useParams({ strict: false });
  const trace = useTrace(id);
  return <TraceGate query={trace}>{(ready) => <Timeline key={ready.id} trace={ready} />}</TraceGate>;
}
