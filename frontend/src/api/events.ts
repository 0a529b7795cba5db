import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { components } from './generated';
import { request } from './request';
import type { EventField, Page } from './types';

export type TraceEvent = components['schemas']['EventItem'];

export interface EventsRequest {
  readonly start: number;
  readonly end: number;
  readonly cpu: readonly number[];
  /** The filter language of the search box. */
  readonly q: string;
}

interface EventsPageParam {
  readonly direction: 'later' | 'earlier';
  readonly cursor?: string;
}

const PAGE_EVENTS = 200;

/**
 * Events of a window in order of time, from `anchor` on; earlier ones are pages before the first. The anchor lets the
 * table open at an event in the middle of a window without reading all that lies before it.
 */
export const eventsQuery = (trace: string, { start, end, cpu, q }: EventsRequest, anchor: number) =>
  infiniteQueryOptions({
    queryKey: ['trace', trace, 'events', { start, end, cpu, q, anchor }],
    queryFn: async ({ signal, pageParam }) => {
      const later = pageParam.direction === 'later';
      const page = await request<Page<TraceEvent>>(`/traces/${encodeURIComponent(trace)}/events`, {
        signal,
        query: {
          start: later ? anchor : start,
          end: later ? end : anchor,
          cpu: cpu.join(','),
          q,
          order: later ? 'asc' : 'desc',
          limit: PAGE_EVENTS,
          cursor: pageParam.cursor,
        },
      });
      return later ? page : { items: page.items.toReversed(), next: page.next };
    },
    initialPageParam: { direction: 'later' } as EventsPageParam,
    getNextPageParam: (last): EventsPageParam | undefined =>
      last.next === null ? undefined : { direction: 'later', cursor: last.next },
    getPreviousPageParam: (first, _, firstParam): EventsPageParam | undefined => {
      if (firstParam.direction === 'later') return anchor > start ? { direction: 'earlier' } : undefined;
      return first.next === null ? undefined : { direction: 'earlier', cursor: first.next };
    },
    staleTime: Infinity,
    gcTime: 60_000,
  });

/** The nearest event that matches, at or after `from`, or before it. */
export async function findEvent(
  trace: string,
  { cpu, q }: Pick<EventsRequest, 'cpu' | 'q'>,
  from: number,
  direction: 'later' | 'earlier',
): Promise<TraceEvent | undefined> {
  // Half-open, and an empty stretch is refused: nothing is earlier than the first record.
  if (direction === 'earlier' && from <= 0) return undefined;
  const bounds = direction === 'later' ? { start: from } : { start: 0, end: from };
  const query = { ...bounds, cpu: cpu.join(','), q, order: direction === 'later' ? 'asc' : 'desc', limit: 1 };
  const firstFrom = async (cursor: string | undefined): Promise<TraceEvent | undefined> => {
    const page = await request<Page<TraceEvent>>(`/traces/${encodeURIComponent(trace)}/events`, {
      query: { ...query, cursor },
    });
    // The server searches for a limited time per answer; a rare match may be many pages away.
    return page.items[0] ?? (page.next === null ? undefined : firstFrom(page.next));
  };
  return firstFrom(undefined);
}

/** Events at one instant that are looked at. */
const MOST_AT_ONCE = 50;

/** The events that are stamped with one time, on any CPU. */
export const instantQuery = (trace: string, t: number) =>
  queryOptions({
    queryKey: ['trace', trace, 'events', 'at', t],
    queryFn: ({ signal }) =>
      request<Page<TraceEvent>>(`/traces/${encodeURIComponent(trace)}/events`, {
        signal,
        query: { start: t, end: t + 1, limit: MOST_AT_ONCE },
      }),
    select: ({ items }) => items,
    staleTime: Infinity,
  });

/** Tasks woken in one slice that are looked at. */
const MOST_WAKINGS = 100;

/** The events of one CPU that wake tasks in a stretch, in order of time. */
export const wakingsQuery = (
  trace: string,
  { cpu, start, end }: { readonly cpu: number; readonly start: number; readonly end: number },
) =>
  queryOptions({
    queryKey: ['trace', trace, 'events', 'wakings', { cpu, start, end }],
    queryFn: ({ signal }) =>
      request<Page<TraceEvent>>(`/traces/${encodeURIComponent(trace)}/events`, {
        signal,
        query: { cpu, start, end, event: 'sched_waking,sched_wakeup,sched_wakeup_new', limit: MOST_WAKINGS },
      }),
    select: ({ items }) => items,
    staleTime: Infinity,
  });

/** As many as one answer holds; those of the most frequent events come first. */
const MOST_FIELDS = 1000;

/** The fields of the recorded events that hold numbers. */
export const eventFieldsQuery = (trace: string) =>
  queryOptions({
    queryKey: ['trace', trace, 'event fields'],
    queryFn: ({ signal }) =>
      request<Page<EventField>>(`/traces/${encodeURIComponent(trace)}/event-fields`, {
        signal,
        query: { limit: MOST_FIELDS },
      }),
    select: ({ items }) => items,
    staleTime: Infinity,
  });
