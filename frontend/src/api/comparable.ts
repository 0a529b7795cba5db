import { useQuery } from '@tanstack/react-query';
import { recentTraces } from '../lib/recentTraces';
import type { components } from './generated';
import { request } from './request';

type Schemas = components['schemas'];

/** The shapes of the answers about what a trace can be compared with. */
export type ComparableTraces = Schemas['ComparableTraces'];
export type ComparableTrace = Schemas['ComparableTrace'];

/** As many as the server lists. */
export const MOST_COMPARABLE = 100;

/** Other traces with latencies of the same kinds, the most alike first. New ones may come at any time. */
export function useComparable(id: string) {
  const recent = recentTraces();
  return useQuery({
    queryKey: ['trace', id, 'comparable', recent],
    queryFn: ({ signal }) =>
      request<ComparableTraces>(`/traces/${encodeURIComponent(id)}/comparable`, {
        signal,
        query: { recent, limit: MOST_COMPARABLE },
      }),
  });
}
