import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { isMissing } from '../lib/problem';
import { queryClient } from './queryClient';
import { request } from './request';
import type { EventType, FunctionStat, Page, Trace, WarningLine } from './types';

const tracePath = (id: string): string => `/traces/${encodeURIComponent(id)}`;

/** Keys of what is kept in memory, so that a change can say what it made stale. */
const keys = {
  catalog: ['traces'] as const,
  trace: (id: string) => ['trace', id] as const,
};

export const traceQuery = (id: string) =>
  queryOptions({
    queryKey: keys.trace(id),
    queryFn: ({ signal }) => request<Trace>(tracePath(id), { signal }),
  });

/** One trace; polled until its state is final. */
export function useTrace(id: string | undefined) {
  return useQuery({
    ...traceQuery(id ?? ''),
    enabled: id !== undefined,
    // Otherwise each part of the page would ask again as it is drawn, and the message would vanish until the answer.
    retryOnMount: ({ state }) => !isMissing(state.error),
    refetchInterval: ({ state }) => (state.data && !isFinal(state.data) ? POLL_MS : false),
  });
}

/** Progress arrives by server-sent events; this catches what a lost connection misses. */
const POLL_MS = 5000;

export function isFinal(trace: Pick<Trace, 'status'>): boolean {
  return trace.status === 'ready' || trace.status === 'failed';
}

export interface CatalogQuery {
  readonly q: string;
  readonly label: string;
  readonly sort: string;
}

/** The catalog page by page. The old pages stay while a new search is under way. */
export function useCatalog(query: CatalogQuery) {
  return useInfiniteQuery({
    queryKey: [...keys.catalog, query],
    queryFn: ({ signal, pageParam }) =>
      request<Page<Trace>>('/traces', { signal, query: { ...query, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => !page.items.every(isFinal)) ? CATALOG_POLL_MS : false,
  });
}

/** While something is being read, its row moves; a stream for each row would use up the connections. */
const CATALOG_POLL_MS = 2000;

/** A screenful; the rest is fetched on demand. */
const FUNCTIONS_AT_ONCE = 25;
const TYPES_AT_ONCE = 60;
const FOUND_AT_ONCE = 100;
const FOUND_STALE_MS = 10_000;
const MOST_FUNCTIONS = 1000;

/** The first traces of the catalog that match, the newest first. */
export async function findTraces(q: string, signal: AbortSignal): Promise<readonly Trace[]> {
  return (await request<Page<Trace>>('/traces', { signal, query: { q, limit: FOUND_AT_ONCE } })).items;
}

/** The same, kept while the next search is under way. */
export const foundTracesQuery = (q: string) =>
  queryOptions({
    queryKey: [...keys.catalog, 'found', q],
    queryFn: ({ signal }) => findTraces(q, signal),
    placeholderData: keepPreviousData,
    staleTime: FOUND_STALE_MS,
  });

/** The functions of a trace that match, the most costly first; as many as one answer has. */
export async function findFunctions(
  id: string,
  q: string,
  signal: AbortSignal,
): Promise<readonly FunctionStat[]> {
  const query = { q, sort: '-total', limit: MOST_FUNCTIONS };
  return (await request<Page<FunctionStat>>(`${tracePath(id)}/functions`, { signal, query })).items;
}

export interface FunctionsQuery {
  readonly q: string;
  readonly sort: string;
}

/** Functions of a trace, most costly first by default. */
export function useFunctions(id: string, query: FunctionsQuery) {
  return useInfiniteQuery({
    queryKey: [...keys.trace(id), 'functions', query],
    queryFn: ({ signal, pageParam }) =>
      request<Page<FunctionStat>>(`${tracePath(id)}/functions`, {
        signal,
        query: { ...query, limit: FUNCTIONS_AT_ONCE, cursor: pageParam },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
  });
}

/** The types of the recorded events with their counts, most frequent first. */
export function useEventTypes(id: string) {
  return useInfiniteQuery({
    queryKey: [...keys.trace(id), 'event types'],
    queryFn: ({ signal, pageParam }) =>
      request<Page<EventType>>(`${tracePath(id)}/event-types`, {
        signal,
        query: { limit: TYPES_AT_ONCE, cursor: pageParam },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
  });
}

/** The diagnostics of one code that were kept, in file order, page by page. */
export function useWarningLines(id: string, code: string) {
  return useInfiniteQuery({
    queryKey: [...keys.trace(id), 'warnings', code],
    queryFn: ({ signal, pageParam }) =>
      request<Page<WarningLine>>(`${tracePath(id)}/warnings`, { signal, query: { code, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
  });
}

export interface TraceChange {
  readonly name?: string;
  /** Only the labels that change; `null` removes one. */
  readonly labels?: Readonly<Record<string, string | null>>;
}

/** Renames a trace or sets its labels; the answer is the trace as it is now. */
export function useChangeTrace(id: string) {
  return useMutation({
    mutationFn: (change: TraceChange) => request<Trace>(tracePath(id), { method: 'PATCH', body: change }),
    onSuccess: (trace) => {
      queryClient.setQueryData(keys.trace(id), trace);
      return queryClient.invalidateQueries({ queryKey: keys.catalog });
    },
  });
}

/** Has the stored file of a trace read again; the answer is the trace, queued. */
export function useLoadAgain(id: string) {
  return useMutation({
    mutationFn: () => request<Trace>(`${tracePath(id)}/reload`, { method: 'POST' }),
    onSuccess: traceChanged,
  });
}

/** Deletes a trace and all that came from it, also while it is being read, and forgets what is known of it. */
export async function deleteTrace(id: string): Promise<void> {
  await request<undefined>(tracePath(id), { method: 'DELETE' });
  queryClient.removeQueries({ queryKey: keys.trace(id) });
  await queryClient.invalidateQueries({ queryKey: keys.catalog });
}

/** Takes in what the server said about a trace outside of a query: an upload's answer, the end of its reading. */
export function traceChanged(trace: Trace): void {
  queryClient.setQueryData(keys.trace(trace.id), trace);
  void queryClient.invalidateQueries({ queryKey: keys.catalog });
}

/** Where the original file can be downloaded, byte for byte. */
export function rawFileUrl(id: string): string {
  return `/api/v1${tracePath(id)}/raw`;
}
