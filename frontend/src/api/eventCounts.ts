import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { components } from './generated';
import { request } from './request';

export type EventCounts = components['schemas']['EventCounts'];
export type CpuEventCounts = components['schemas']['CpuEventCounts'];

export interface EventCountsRequest {
  readonly start: number;
  readonly end: number;
  /** Cells at most. */
  readonly width: number;
  readonly cpu: readonly number[];
  /** The filter language of the search box. */
  readonly q: string;
}

/** Answers that are added up by themselves; of what takes longer, it is known how much was found so far. */
const MOST_PARTS = 60;

const eventCountsQuery = (trace: string, { cpu, ...counts }: EventCountsRequest) =>
  infiniteQueryOptions({
    queryKey: ['trace', trace, 'event counts', { cpu, ...counts }],
    queryFn: ({ signal, pageParam }) =>
      request<EventCounts>(`/traces/${encodeURIComponent(trace)}/event-counts`, {
        signal,
        query: { ...counts, cpu: cpu.join(','), cursor: pageParam },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: Infinity,
    gcTime: 60_000,
  });

/** How many events of a window match, by CPU and cell. */
export interface Matches {
  readonly count: number;
  readonly cpus: readonly CpuEventCounts[];
  /** False while more may be found. */
  readonly isComplete: boolean;
}

/** The matches of a window that were counted so far; nothing before the first answer, or without a filter. */
export function useMatches(
  trace: string,
  counts: EventCountsRequest,
  isWanted: boolean,
): Matches | undefined {
  const query = useInfiniteQuery({ ...eventCountsQuery(trace, counts), enabled: isWanted });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const goesOn = hasNextPage && !isFetching && !isError && (data?.pages.length ?? 0) < MOST_PARTS;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  if (data === undefined || !isWanted) return undefined;
  return { ...addParts(data.pages), isComplete: !hasNextPage };
}

/** The answers about one window as one: they have the same cells. */
export function addParts(parts: readonly EventCounts[]): Pick<Matches, 'count' | 'cpus'> {
  const cpus = new Map<number, Map<number, { readonly duration: number; readonly count: number }>>();
  for (const { cpu, t, duration_ns, counts } of parts.flatMap((part) => part.cpus)) {
    const cells = cpus.get(cpu) ?? new Map<number, { duration: number; count: number }>();
    t.forEach((start, index) => {
      const count = (cells.get(start)?.count ?? 0) + (counts[index] ?? 0);
      cells.set(start, { duration: duration_ns[index] ?? 0, count });
    });
    cpus.set(cpu, cells);
  }
  const added = [...cpus].map(([cpu, cells]): CpuEventCounts => {
    const sorted = [...cells].toSorted(([a], [b]) => a - b);
    return {
      cpu,
      count: sorted.reduce((sum, [, { count }]) => sum + count, 0),
      t: sorted.map(([start]) => start),
      duration_ns: sorted.map(([, { duration }]) => duration),
      counts: sorted.map(([, { count }]) => count),
    };
  });
  return {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    cpus: added.toSorted((a, b) => a.cpu - b.cpu),
  };
}
