import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { catalogQuery } from './catalog';
import type { components } from './generated';
import { request } from './request';

type Answers = components['schemas'];

export type ArrowsAnswer = Readonly<Answers['Arrows']>;
export type ArrowKind = Readonly<Answers['ArrowKindItem']>;

/** Arrows with an end in the window; the others only narrow them down. */
export interface ArrowsRequest {
  readonly start: number;
  readonly end: number;
  /** Of one of the ends: `1359,20`. */
  readonly pid?: string;
  readonly cpu?: string;
  /** `wakeup,timer`; all if absent. */
  readonly kinds?: string;
  readonly limit: number;
}

/** The longest arrows of a window, and how many others there are. */
export const arrowsQuery = (trace: string, arrows: ArrowsRequest) =>
  queryOptions({
    queryKey: ['trace', trace, 'arrows', arrows],
    queryFn: ({ signal }) =>
      request<ArrowsAnswer>(`/traces/${encodeURIComponent(trace)}/arrows`, { signal, query: { ...arrows } }),
    // A trace never changes.
    staleTime: Infinity,
    gcTime: 120_000,
    placeholderData: keepPreviousData,
  });

const NO_KINDS: readonly ArrowKind[] = [];

/** Every kind of arrow that the server's version knows; none until it is known. */
export function useArrowKinds(): readonly ArrowKind[] {
  return useQuery({ ...catalogQuery, select: ({ arrows }) => arrows }).data ?? NO_KINDS;
}
