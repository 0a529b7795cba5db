import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { eventsQuery, type TraceEvent } from '../../api/events';
import { problemOf } from '../../lib/problem';
import { ProblemNote } from '../../components/problem/ProblemNote';
import { formatInstant, ns } from '../../lib/ns';
import { stampText } from '../../lib/stamp';
import { taskLabel } from '../../lib/taskKind';
import { visibleText } from '../../lib/visibleText';
import type { TimeWindow } from '../../components/chart/timeWindow';
import type { EventId } from '../../viewState/itemIds';
import { argsText, flagsText } from '../../lib/eventText';
import styles from './EventTable.module.css';

interface EventTableProps {
  readonly traceId: string;
  readonly originNs: string | null;
  readonly window: TimeWindow;
  readonly cpu: readonly number[];
  readonly q: string;
  readonly selected: EventId | undefined;
  readonly onSelect: (event: TraceEvent) => void;
  readonly onHover: (t: number | undefined) => void;
}

const ROW_PX = 24;
const HEADINGS = ['time', 'stamp', 'CPU', 'task', 'flags', 'event', 'arguments'] as const;

/** The events of what is in sight, in order of time; starts at the selected one where there is one. */
export const EventTable = memo(function EventTable(props: EventTableProps) {
  const { window, selected } = props;
  const isInside = selected !== undefined && selected.t >= window.start && selected.t < window.end;
  const anchor = isInside ? selected.t : window.start;
  const pages = useInfiniteQuery({
    ...eventsQuery(
      props.traceId,
      { start: window.start, end: window.end, cpu: props.cpu, q: props.q },
      anchor,
    ),
    placeholderData: (before) => before,
  });
  const rows = pages.data?.pages.flatMap((page) => page.items) ?? [];
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- what it returns stays in this component
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  usePaging(pages, items[0]?.index, items.at(-1)?.index, rows.length);
  useSteadyScroll(scroller, rows, anchor);

  if (pages.isError && !pages.data) return <ProblemNote problem={problemOf(pages.error)} />;
  return (
    <div
      className={styles.scroller}
      ref={scroller}
      tabIndex={0} // oxlint-disable-line jsx-a11y/no-noninteractive-tabindex -- scrolls by keys
      role="table"
      aria-label="Events in sight"
      aria-rowcount={pages.hasNextPage || pages.hasPreviousPage ? -1 : rows.length}
      data-stale={pages.isPlaceholderData || undefined}
      onPointerLeave={() => props.onHover(undefined)}
    >
      <div className={styles.head} role="row">
        {HEADINGS.map((heading) => (
          <span key={heading} role="columnheader">
            {heading}
          </span>
        ))}
      </div>
      <div className={styles.body} style={{ height: virtualizer.getTotalSize() }} role="rowgroup">
        {items.map(({ index, start }) => {
          const event = rows[index];
          return event ? <EventRow key={event.seq} {...props} event={event} top={start} /> : null;
        })}
      </div>
      {rows.length === 0 && !pages.isFetching && <NoEvents q={props.q} />}
      {pages.isFetching && rows.length === 0 && <p className={styles.note}>Loading events …</p>}
    </div>
  );
});

function EventRow({ event, top, selected, ...props }: EventTableProps & { event: TraceEvent; top: number }) {
  const t = ns(event.t);
  const isSelected = selected?.t === event.t && selected.cpu === event.cpu;
  return (
    <div
      className={styles.row}
      role="row"
      aria-selected={isSelected}
      style={{ transform: `translateY(${top}px)` }}
      onPointerEnter={() => props.onHover(event.t)}
    >
      <span role="cell">
        <button type="button" className={styles.time} onClick={() => props.onSelect(event)}>
          {formatInstant(t, 9)}
        </button>
      </span>
      <span role="cell" className={styles.quiet}>
        {props.originNs === null ? '' : stampText(props.originNs, t)}
      </span>
      <span role="cell">{event.cpu}</span>
      <span role="cell">{visibleText(taskLabel(event.comm, event.pid))}</span>
      <span role="cell" className={styles.quiet} title={flagsText(event.flags).long}>
        {flagsText(event.flags).short}
      </span>
      <span role="cell">{visibleText(event.event)}</span>
      <span role="cell" className={styles.args} title={visibleText(argsText(event))}>
        {visibleText(argsText(event))}
      </span>
    </div>
  );
}

function NoEvents({ q }: { readonly q: string }) {
  return (
    <p className={styles.note}>
      {q === ''
        ? 'No event was recorded in this stretch. Zoom out (S), or show more CPUs.'
        : 'No event in sight matches the filter. Next and Previous look for one in the whole trace.'}
    </p>
  );
}

interface Pages {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly isFetching: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
  readonly fetchPreviousPage: () => Promise<unknown>;
}

const PAGE_AHEAD_ROWS = 40;

/** Loads the next page before its first row comes into sight, in both directions. */
function usePaging(pages: Pages, first: number | undefined, last: number | undefined, count: number) {
  const { hasNextPage, hasPreviousPage, isFetching, fetchNextPage, fetchPreviousPage } = pages;
  useEffect(() => {
    if (isFetching) return;
    // A page may be empty and still have a next one, where matches are rare.
    if (hasNextPage && (last ?? 0) >= count - PAGE_AHEAD_ROWS) void fetchNextPage();
    else if (hasPreviousPage && (first ?? 0) <= PAGE_AHEAD_ROWS) void fetchPreviousPage();
  }, [first, last, count, hasNextPage, hasPreviousPage, isFetching, fetchNextPage, fetchPreviousPage]);
}

/** Rows that arrive above push what is in sight down by their height; a new anchor starts at the top of its rows. */
function useSteadyScroll(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly TraceEvent[],
  anchor: number,
) {
  const before = useRef<{ seq: number | undefined; anchor: number }>({ seq: undefined, anchor });
  useLayoutEffect(() => {
    const element = scroller.current;
    const firstSeq = rows[0]?.seq;
    if (element !== null && before.current.seq !== firstSeq) {
      const added = rows.findIndex((row) => row.seq === before.current.seq);
      if (before.current.anchor === anchor && added > 0) element.scrollBy({ top: added * ROW_PX });
      else if (before.current.anchor !== anchor || added < 0) element.scrollTo({ top: 0 });
    }
    before.current = { seq: firstSeq, anchor };
  }, [scroller, rows, anchor]);
}
