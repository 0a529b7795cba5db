import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import type { TraceEvent } from '../../api/events';
import { nextRowIndex, useFocusLater } from '../../components/table/rowKeys';
import type { EventId } from '../../viewState/itemIds';

const ROW_PX = 24;
const HEAD_PX = 24;

/** The rows in sight with the current one, wherever it is; more pages of them as they are scrolled to. */
export function useEventRows(
  pages: Pages,
  rows: readonly TraceEvent[],
  anchor: number,
  selected: EventId | undefined,
) {
  const scroller = useRef<HTMLDivElement>(null);
  const [walkedTo, setWalkedTo] = useState<number>();
  const current = currentRow(rows, walkedTo, selected);
  const rangeExtractor = useCallback(
    (range: Range) =>
      current < range.count
        ? [...new Set([current, ...defaultRangeExtractor(range)])].toSorted((a, b) => a - b)
        : defaultRangeExtractor(range),
    [current],
  );
  // oxlint-disable-next-line react/incompatible-library -- what it returns stays in this file
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    scrollPaddingStart: HEAD_PX,
    rangeExtractor,
  });
  const items = virtualizer.getVirtualItems();
  const focusLater = useFocusLater(scroller);
  usePaging(pages, virtualizer.range?.startIndex, virtualizer.range?.endIndex, rows.length);
  useSteadyScroll(scroller, rows, anchor);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextRowIndex(event.key, current, rows.length);
    const seq = next === undefined ? undefined : rows[next]?.seq;
    if (next === undefined || seq === undefined) return;
    event.preventDefault();
    setWalkedTo(seq);
    virtualizer.scrollToIndex(next);
    focusLater(`[data-seq='${seq}']`);
  };
  return { scroller, items, height: virtualizer.getTotalSize(), current, onKeyDown };
}

/** Where the keys went last; before that the selected event, or the first one. */
function currentRow(
  rows: readonly TraceEvent[],
  walkedTo: number | undefined,
  selected: EventId | undefined,
): number {
  const walked = walkedTo === undefined ? -1 : rows.findIndex(({ seq }) => seq === walkedTo);
  if (walked >= 0) return walked;
  return Math.max(
    0,
    rows.findIndex(({ t, cpu }) => t === selected?.t && cpu === selected.cpu),
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
