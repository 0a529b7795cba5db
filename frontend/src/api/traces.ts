import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { request } from './request';
import type { FunctionStat, Page, Trace, WarningLine } from './types';

const tracePath = (id: string): string => `/traces/${encodeURIComponent(id)}`;

/** Keys of what is kept in memory, so that a change can say what it made stale. */
const keys = {
  catalog: ['traces'] as const,
  trace: (id: string) => ['trace', id] as const,
};

/** One trace; asked for again by itself until its state is final. */
export function useTrace(id: string | undefined) {
  return useQuery({
    queryKey: keys.trace(id ?? ''),
    queryFn: ({ signal }) => request<Trace>(tracePath(id ?? ''), { signal }),
    enabled: id !== undefined,
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
  });
}

export interface FunctionsQuery {
  readonly q: string;
  readonly sort: string;
}

/** Functions of a trace, most costly first by default. */
export function useFunctions(id: string, query: FunctionsQuery, enabled: boolean) {
  return useInfiniteQuery({
    queryKey: [...keys.trace(id), 'functions', query],
    queryFn: ({ signal, pageParam }) =>
      request<Page<FunctionStat>>(`${tracePath(id)}/functions`, {
        signal,
        query: { ...query, cursor: pageParam },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
    enabled,
  });
}

/** The lines that could not be read, as many as were kept. */
export function useWarningLines(id: string, enabled: boolean) {
  return useQuery({
    queryKey: [...keys.trace(id), 'warnings'],
    queryFn: ({ signal }) => request<Page<WarningLine>>(`${tracePath(id)}/warnings`, { signal }),
    enabled,
  });
}

export interface TraceChange {
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Renames a trace or sets its labels; the answer is the trace as it is now. */
export function useChangeTrace(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: TraceChange) => request<Trace>(tracePath(id), { method: 'PATCH', body: change }),
    onSuccess: (trace) => {
      client.setQueryData(keys.trace(id), trace);
      return client.invalidateQueries({ queryKey: keys.catalog });
    },
  });
}

/** Deletes a trace and all that came from it. */
export function useDeleteTrace() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request<undefined>(tracePath(id), { method: 'DELETE' }),
    onSuccess: (_, id) => {
      client.removeQueries({ queryKey: keys.trace(id) });
      return client.invalidateQueries({ queryKey: keys.catalog });
    },
  });
}

/** What to call when a trace has changed behind the page's back: its upload or parsing has moved on. */
export function useTraceChanged(): (trace: Trace | undefined) => void {
  const client = useQueryClient();
  return (trace) => {
    if (trace) client.setQueryData(keys.trace(trace.id), trace);
    void client.invalidateQueries({ queryKey: keys.catalog });
  };
}

/** Where the original file can be downloaded, byte for byte. */
export function rawFileUrl(id: string): string {
  return `/api/v1${tracePath(id)}/raw`;
}
