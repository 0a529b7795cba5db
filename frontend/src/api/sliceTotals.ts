import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { components } from './generated';
import { request } from './request';

export type SliceTotals = components['schemas']['SliceTotals'];

export interface SliceTotalsRequest {
  readonly start: number;
  readonly end: number;
  readonly cpu: readonly number[];
}

const sliceTotalsQuery = (trace: string, { cpu, ...stretch }: SliceTotalsRequest) =>
  infiniteQueryOptions({
    queryKey: ['trace', trace, 'slice totals', { cpu, ...stretch }],
    queryFn: ({ signal, pageParam }) =>
      request<SliceTotals>(`/traces/${encodeURIComponent(trace)}/slice-totals`, {
        signal,
        query: { ...stretch, cpu: cpu.join(','), cursor: pageParam },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: Infinity,
    gcTime: 60_000,
  });

/** What took the time of a stretch, in parts that add up; further parts are fetched automatically. */
export function useSliceTotals(trace: string, stretch: SliceTotalsRequest) {
  const query = useInfiniteQuery(sliceTotalsQuery(trace, stretch));
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const goesOn = hasNextPage && !isFetching && !isError;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  return query;
}
