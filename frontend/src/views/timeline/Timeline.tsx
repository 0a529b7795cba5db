import { useCallback, useMemo, useRef, useState } from 'react';
import { problemOf } from '../../lib/problem';
import type { Trace } from '../../api/types';
import { Button } from '../../components/button/Button';
import { LaneChart, type LaneChartHandle, type LaneHit } from '../../components/chart/LaneChart';
import type { LaneMark } from '../../components/chart/LaneOverlay';
import { timeTicks } from '../../components/chart/timeTicks';
import { centreWindow, frameWindow, type TimeWindow } from '../../components/chart/timeWindow';
import { useElementSize } from '../../components/chart/useElementSize';
import { useLiveWindow } from '../../components/chart/useLiveWindow';
import { Command } from '../../components/Command';
import { SidePanel } from '../../components/panel/SidePanel';
import { SplitPane } from '../../components/panel/SplitPane';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { SearchField } from '../../components/search/SearchField';
import { durationText, ns } from '../../lib/ns';
import { recordedOrigin } from '../../lib/stamp';
import { visibleText } from '../../lib/visibleText';
import { timelineState } from '../../viewState/timeline';
import { useViewState } from '../../viewState/useViewState';
import { AreaDetails, SliceDetails } from './Details';
import { EventPane } from './EventPane';
import { HoverStrip } from './HoverStrip';
import { LaneTable } from './LaneTable';
import { Minimap } from './Minimap';
import { findSlice, neighbourOf, sliceIdOf, type Direction } from './selection';
import styles from './Timeline.module.css';
import { TimelineToolbar } from './TimelineToolbar';
import { useTimeline } from './useTimeline';
import { useTimelineKeys } from './useTimelineKeys';

const GUTTER_PX = 132;
const NO_CPUS: readonly number[] = [];

/** Lanes over time with all that belongs to them. The window moves here; everything else is in the URL. */
export function Timeline({ trace }: { readonly trace: Trace }) {
  const [state, setState] = useViewState(timelineState);
  const [size, attachSize] = useElementSize();
  const [hovered, setHovered] = useState<LaneHit>();
  const [eventAt, setEventAt] = useState<number>();
  const [dragging, setDragging] = useState<'pan' | 'area'>('pan');
  const [draft, setDraft] = useState<TimeWindow>();
  const [showsTable, setShowsTable] = useState(false);
  const chart = useRef<LaneChartHandle>(null);

  // Half-open, so the last record needs one nanosecond more than the duration.
  const domain = useMemo(() => ({ start: 0, end: (trace.duration_ns ?? 0) + 1 }), [trace.duration_ns]);
  const settled = state.window ?? domain;
  const commit = useCallback(
    (next: TimeWindow, history: 'push' | 'replace') => {
      const isWhole = next.start <= domain.start && next.end >= domain.end;
      const window = { start: ns(Math.round(next.start)), end: ns(Math.round(next.end)) };
      setState({ window: isWhole ? undefined : window }, { history });
    },
    [domain, setState],
  );
  const live = useLiveWindow(settled, commit);
  const timeline = useTimeline(trace, domain, live.window, Math.max(0, size.width - GUTTER_PX), state);
  const { scene, lanes, answer } = timeline;

  const selected = useMemo(
    () => (state.slice && lanes ? findSlice(lanes, state.slice) : undefined),
    [lanes, state.slice],
  );
  const area = draft ?? state.area;
  const pick = (hit: LaneHit | undefined) => {
    const slice = hit && lanes && sliceIdOf(lanes, hit);
    setState({ slice, area: undefined, event: undefined }, { history: 'push' });
  };
  const frame = (stretch: TimeWindow) => live.jump(frameWindow(stretch.start, stretch.end, domain));
  const mark = (stretch: TimeWindow) => setState({ a: ns(stretch.start), b: ns(stretch.end) });
  const step = (direction: Direction) => {
    const from = selected ?? hovered;
    const next = from && lanes && answer ? neighbourOf(lanes, answer, from, direction) : undefined;
    if (next === undefined || lanes === undefined) return;
    setState({ slice: sliceIdOf(lanes, next), area: undefined, event: undefined });
    chart.current?.reveal(next.row);
    if (next.at < live.window.start || next.at >= live.window.end)
      live.move(centreWindow(live.window, next.at, domain));
  };
  useTimelineKeys({ live, domain, state, setState, selected, scene, hovered, frame, step });

  const marks = useMemo(
    () =>
      timelineMarks({ a: state.a, b: state.b, event: eventAt ?? state.event?.t, notes: answer?.notes ?? [] }),
    [state.a, state.b, state.event, eventAt, answer],
  );
  const hasPanel = state.slice !== undefined || state.area !== undefined;
  return (
    <div className={styles.page}>
      <SearchField label="Filter events" value={state.q} onChange={(q) => setState({ q, events: 'shown' })} />
      <TimelineToolbar
        window={live.window}
        cpus={trace.cpus ?? NO_CPUS}
        shownCpus={state.cpu}
        kinds={timeline.kinds}
        hidden={state.hide}
        dragging={dragging}
        isLoading={!timeline.isComplete && timeline.error === null}
        onCpus={(cpu) => setState({ cpu })}
        onHidden={(hide) => setState({ hide })}
        onDragging={setDragging}
        onFit={() => live.jump(domain)}
        onTable={() => setShowsTable(true)}
        onPicture={(format) => chart.current?.save(format, `${visibleText(trace.name)}-timeline`)}
        eventsShown={state.events === 'shown'}
        onEvents={() => setState({ events: state.events === 'shown' ? 'hidden' : 'shown' })}
      />
      <div className={styles.main}>
        <Minimap
          overview={timeline.overview}
          window={live.window}
          domain={domain}
          gutter={GUTTER_PX}
          onWindow={live.move}
          onSettled={live.settle}
        />
        <SplitPane
          name="timeline.events"
          lower={
            state.events === 'shown' ? (
              <EventPane
                trace={trace}
                window={settled}
                cpu={state.cpu}
                q={state.q}
                selected={state.event}
                onSelect={({ cpu, t }) => {
                  setState(
                    { event: { cpu: cpu ?? 0, t: ns(t) }, slice: undefined, area: undefined },
                    { history: 'push' },
                  );
                  live.move(centreWindow(live.window, t, domain));
                }}
                onHover={setEventAt}
                onClose={() => setState({ events: 'hidden' })}
              />
            ) : undefined
          }
        >
          <div className={styles.lanes} ref={attachSize}>
            {timeline.error !== null && scene === undefined && (
              <ProblemNote problem={problemOf(timeline.error)}>
                <Button onClick={timeline.retry}>Ask again</Button>
              </ProblemNote>
            )}
            {scene !== undefined && scene.rows.length === 0 && <NoLanes trace={trace} />}
            {scene !== undefined && scene.rows.length > 0 && (
              <LaneChart
                ref={chart}
                scene={scene}
                window={live.window}
                domain={domain}
                ticksFor={timeTicks}
                label={`Timeline of ${visibleText(trace.name)}`}
                renderedMark={timeline.isComplete ? `${live.window.start}-${live.window.end}` : undefined}
                gutter={GUTTER_PX}
                dragging={dragging}
                hovered={hovered}
                selected={selected}
                area={area}
                marks={marks}
                onWindow={live.move}
                onSettled={() => {
                  if (draft)
                    setState(
                      {
                        area: { start: ns(draft.start), end: ns(Math.max(draft.end, draft.start + 1)) },
                        slice: undefined,
                      },
                      { history: 'push' },
                    );
                  setDraft(undefined);
                  live.settle();
                }}
                onArea={setDraft}
                onHover={setHovered}
                onPick={pick}
                onOpen={(hit) => {
                  const start =
                    hit?.item === undefined ? undefined : scene.rows[hit.row]?.items.start[hit.item];
                  const length =
                    hit?.item === undefined ? 0 : (scene.rows[hit.row]?.items.duration[hit.item] ?? 0);
                  if (start !== undefined) frame({ start, end: start + length });
                }}
              />
            )}
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
      {hasPanel && (
        <SidePanel title="Details" onClose={() => setState({ slice: undefined, area: undefined })}>
          {state.slice && (
            <SliceDetails
              traceId={trace.id}
              originNs={recordedOrigin(trace)}
              id={state.slice}
              onFrame={frame}
              onMark={mark}
            />
          )}
          {state.area && <AreaDetails traceId={trace.id} area={state.area} onFrame={frame} />}
        </SidePanel>
      )}
      {showsTable && lanes && answer && (
        <LaneTable lanes={lanes} answer={answer} window={live.window} onClose={() => setShowsTable(false)} />
      )}
    </div>
  );
}

interface MarkParts {
  readonly a: number | undefined;
  readonly b: number | undefined;
  readonly event: number | undefined;
  readonly notes: readonly { readonly t: number; readonly text: string }[];
}

function timelineMarks({ a, b, event, notes }: MarkParts): readonly LaneMark[] {
  const between = a !== undefined && b !== undefined ? ` ${durationText(ns(Math.abs(b - a)))}` : '';
  return [
    ...notes.map((note, index): LaneMark => ({
      id: `note ${index}`,
      at: note.t,
      kind: 'note',
      text: visibleText(note.text),
    })),
    ...(event === undefined ? [] : [{ id: 'event', at: event, kind: 'event' } as const]),
    ...(a === undefined ? [] : [{ id: 'a', at: a, kind: 'cursor', text: 'A' } as const]),
    ...(b === undefined ? [] : [{ id: 'b', at: b, kind: 'cursor', text: `B${between}` } as const]),
  ];
}

/** What to record so that there is something to see. */
function NoLanes({ trace }: { readonly trace: Trace }) {
  return (
    <section className={styles.empty}>
      <h2>Nothing to draw on lanes</h2>
      <p>
        {(trace.event_count ?? 0) > 0
          ? 'The trace holds events, listed below, but none that begin and end something. Scheduling and interrupt events do:'
          : 'The trace holds no events that begin and end something. Scheduling and interrupt events do:'}
      </p>
      <Command text="trace-cmd record -e sched:sched_switch -e sched:sched_waking -e irq -e irq_vectors -e power:cpu_idle" />
    </section>
  );
}
