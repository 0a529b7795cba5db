import { useInfiniteQuery } from '@tanstack/react-query';
import { memo, type CSSProperties } from 'react';
import { eventsQuery, type TraceEvent } from '../../api/events';
import type { Trace } from '../../api/types';
import { useClock } from '../../components/clock/useClock';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { ns } from '../../lib/ns';
import { taskLabel } from '../../lib/taskKind';
import { visibleText } from '../../lib/visibleText';
import type { TimeWindow } from '../../components/chart/timeWindow';
import type { EventId } from '../../viewState/itemIds';
import { argsText, flagsText } from '../../lib/eventText';
import { ViewLink } from '../../components/ViewLink';
import { paths } from '../../viewState/paths';
import styles from './EventTable.module.css';
import type { SliceEnds } from './slice/useSlice';
import { useEventRows } from './useEventRows';

interface EventTableProps {
  readonly traceId: string;
  readonly counts: Pick<Trace, 'event_count' | 'call_count' | 'duration_ns'>;
  readonly originNs: string | null;
  /** The events come from several trace instances. */
  readonly hasBuffers: boolean;
  readonly window: TimeWindow;
  readonly cpu: readonly number[];
  readonly q: string;
  /** Why nothing in the whole trace passes the filter, where that is known. */
  readonly noMatch: string | undefined;
  readonly selected: EventId | undefined;
  /** What begins and what ends the selected slice. */
  readonly ends: SliceEnds;
  /** Where the list begins as long as no event is selected: the start of the selected slice or range. */
  readonly from: number | undefined;
  readonly onSelect: (event: TraceEvent) => void;
  readonly onHover: (t: number | undefined) => void;
  /** Shows the lane of a task. */
  readonly onTask: (pid: number) => void;
}

const HEADINGS = ['time', 'stamp', 'CPU', 'buffer', 'task', 'flags', 'event', 'arguments'] as const;

/**
 * The events of what is in sight, in order of time; starts at the selected one, slice or range. Its rows are one
 * stop of Tab, and the arrow keys walk through them.
 */
export const EventTable = memo(function EventTable(props: EventTableProps) {
  const { window, selected, from, hasBuffers, counts } = props;
  const clock = useClock();
  const wanted = selected?.t ?? from;
  const isInside = wanted !== undefined && wanted >= window.start && wanted < window.end;
  const anchor = isInside ? wanted : window.start;
  const pages = useInfiniteQuery({
    ...eventsQuery(
      props.traceId,
      { start: window.start, end: window.end, cpu: props.cpu, q: props.q },
      anchor,
    ),
    placeholderData: (before) => before,
  });
  const rows = pages.data?.pages.flatMap((page) => page.items) ?? [];
  const { scroller, items, height, current, onKeyDown } = useEventRows(pages, rows, anchor, selected);

  if (pages.isError && !pages.data) return <FailedQuery query={pages} />;
  return (
    <div
      className={styles.scroller}
      ref={scroller}
      role="table"
      aria-label="Visible events"
      aria-rowcount={pages.hasNextPage || pages.hasPreviousPage ? -1 : rows.length}
      data-buffers={hasBuffers || undefined}
      data-stale={pages.isPlaceholderData || undefined}
      style={{ '--time-digits': `${clock.column(ns(counts.duration_ns ?? 0)).length}ch` } as CSSProperties} // a property of its own is not among React's
      onPointerLeave={() => props.onHover(undefined)}
    >
      <div className={styles.head} role="row">
        {HEADINGS.filter((heading) => hasBuffers || heading !== 'buffer').map((heading) => (
          <span key={heading} role="columnheader">
            {heading}
          </span>
        ))}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys arrive here from the buttons of the rows */}
      <div className={styles.body} style={{ height }} role="rowgroup" onKeyDown={onKeyDown}>
        {items.map(({ index, start }) => {
          const event = rows[index];
          return event ? (
            <EventRow key={event.seq} {...props} event={event} top={start} isCurrent={index === current} />
          ) : null;
        })}
      </div>
      {rows.length === 0 && !pages.isFetching && <NoEvents {...props} />}
      {pages.isFetching && rows.length === 0 && <p className={styles.note}>Loading events …</p>}
    </div>
  );
});

interface EventRowProps extends EventTableProps {
  readonly event: TraceEvent;
  readonly top: number;
  /** The row that Tab leads to. */
  readonly isCurrent: boolean;
}

function EventRow({ event, top, selected, ends, isCurrent, ...props }: EventRowProps) {
  const clock = useClock();
  const t = ns(event.t);
  const isSelected = selected?.t === event.t && selected.cpu === event.cpu;
  const side = event.seq === ends.start?.seq ? 'start' : event.seq === ends.end?.seq ? 'end' : undefined;
  return (
    <div
      className={styles.row}
      role="row"
      aria-selected={isSelected}
      data-bound={side !== undefined}
      style={{ transform: `translateY(${top}px)` }}
      onPointerOver={() => props.onHover(event.t)}
    >
      <span role="cell">
        <button
          type="button"
          className={styles.time}
          data-seq={event.seq}
          tabIndex={isCurrent ? 0 : -1}
          onClick={() => props.onSelect(event)}
        >
          {clock.column(t)}
        </button>
      </span>
      <span role="cell" className={styles.quiet}>
        {props.originNs === null ? '' : clock.stamp(props.originNs, t)}
      </span>
      <span role="cell">{event.cpu}</span>
      {props.hasBuffers && <span role="cell">{visibleText(event.buffer ?? '')}</span>}
      <span role="cell">
        <TaskOf event={event} onTask={props.onTask} />
      </span>
      <span role="cell" className={styles.quiet} title={flagsText(event.flags).long}>
        {flagsText(event.flags).short}
      </span>
      <span role="cell" title={visibleText(event.event)}>
        {visibleText(event.event)}
        {side !== undefined && (
          <span className={styles.side}>
            {side}
            <span className="unseen"> of the slice</span>
          </span>
        )}
      </span>
      <span role="cell" className={styles.args} title={visibleText(argsText(event))}>
        {visibleText(argsText(event))}
      </span>
    </div>
  );
}

/**
 * The task that an event was recorded in, which leads to its lane; the idle tasks of all CPUs have none. No stop of Tab:
 * a row is one.
 */
function TaskOf({ event: { comm, pid }, onTask }: Pick<EventRowProps, 'event' | 'onTask'>) {
  const name = visibleText(taskLabel(comm, pid));
  if (pid === null || pid === 0) return name;
  return (
    <button
      type="button"
      className={styles.task}
      title={`Show the lane of ${name}`}
      tabIndex={-1}
      onClick={() => onTask(pid)}
    >
      {name}
    </button>
  );
}

/** Why there are none, and the way to some. */
function NoEvents({ traceId, counts, cpu, q, noMatch }: EventTableProps) {
  if (counts.event_count === 0) {
    return (
      <p className={styles.note}>
        This trace holds no events
        {counts.call_count === 0 ? '.' : ', only calls: '}
        {counts.call_count === 0 ? null : <ViewLink to={paths.calls(traceId)}>open its calls</ViewLink>}
      </p>
    );
  }
  if (q !== '') {
    return (
      <p className={styles.note}>
        {visibleText(
          noMatch ?? 'No visible event matches the filter. Next and Previous search the whole trace.',
        )}
      </p>
    );
  }
  return (
    <p className={styles.note}>
      No events in this window{cpu.length === 0 ? '' : ' on these CPUs'}. Zoom out (S) or fit the whole trace
      (F)
      {cpu.length === 0 ? '.' : ', or show more CPUs.'}
    </p>
  );
}
