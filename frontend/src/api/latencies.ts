import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  Interference,
  LatencyCase,
  LatencyItem,
  LatencyKind,
  LatencySeries,
  LatencyStats,
  LatencyTasks,
  PriorityClass,
} from './latencyTypes';
import { request, requestText } from './request';
import type { Page } from './types';

/** A stretch of the trace; the whole of it without bounds. */
interface Stretch {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** Whose latencies: of one task, of the tasks of one class, or of all. */
export interface TasksOf {
  readonly pid?: number | undefined;
  readonly priority_class?: PriorityClass | undefined;
}

/** Which samples: those of a kind, or the values of one field of events. */
export interface SamplesOf extends TasksOf {
  readonly kind: string;
  readonly field?: string | undefined;
  /** What the field's numbers count; what the text of the events says if absent. */
  readonly unit?: string | undefined;
  /** The one CPU, name of tasks or key that they are of. */
  readonly cpu?: string | undefined;
  readonly comm?: string | undefined;
  readonly key?: string | undefined;
}

/** The shortest and the longest, with their unit: `21000ns`. */
interface Lengths {
  readonly min?: string | undefined;
  readonly max?: string | undefined;
}

export interface CasesRequest extends Stretch, SamplesOf, Lengths {
  /** The worst first, unless the smallest are asked for. */
  readonly sort?: 'worst' | 'duration';
  readonly limit: number;
}

export interface SeriesRequest extends Stretch, SamplesOf {
  /** Pixels that the answer will be drawn on. */
  readonly width: number;
}

export interface StatsRequest extends Stretch, SamplesOf, Lengths {
  readonly group_by?: string | undefined;
  /** Nanoseconds of one bar, or quarters of powers of two. */
  readonly bucket: number | 'log2/4';
}

/** As many as the server gives: the last one takes all that is longer, and should be empty of others. */
const MOST_BUCKETS = 1000;

// A trace never changes, so an answer about it stays right for as long as it is kept.
const IMMUTABLE = { staleTime: Infinity, gcTime: 120_000 } as const;

const path = (trace: string) => `/traces/${encodeURIComponent(trace)}`;
const casePath = (trace: string, id: string) => `${path(trace)}/latencies/${encodeURIComponent(id)}`;

/** Every kind of latency that this version knows, with what the trace, or some of its tasks, have of it. */
export const kindsQuery = (trace: string, tasks: TasksOf = {}) =>
  queryOptions({
    queryKey: ['trace', trace, 'latencies', 'kinds', tasks],
    queryFn: ({ signal }) =>
      request<{ readonly items: readonly LatencyKind[] }>(`${path(trace)}/latencies/kinds`, {
        signal,
        query: { ...tasks },
      }),
    select: ({ items }) => items,
    placeholderData: keepPreviousData,
    ...IMMUTABLE,
  });

const MOST_TASKS = 200;

/** The tasks that have latencies, first those that the recording is about. Follows the trace's labels. */
export const tasksQuery = (trace: string) =>
  queryOptions({
    queryKey: ['trace', trace, 'latencies', 'tasks'],
    queryFn: ({ signal }) =>
      request<LatencyTasks>(`${path(trace)}/latencies/tasks`, { signal, query: { limit: MOST_TASKS } }),
    staleTime: 10_000,
  });

/** The latencies of one kind that are the worst, or the smallest values. */
export const worstQuery = (trace: string, cases: CasesRequest) =>
  queryOptions({
    queryKey: ['trace', trace, 'latencies', 'worst', cases],
    queryFn: ({ signal }) =>
      request<Page<LatencyItem>>(`${path(trace)}/latencies`, {
        signal,
        query: { sort: 'worst', ...cases },
      }),
    placeholderData: keepPreviousData,
    ...IMMUTABLE,
  });

/** One latency with what explains it. */
export const caseQuery = (trace: string, id: string) =>
  queryOptions({
    queryKey: ['trace', trace, 'latencies', 'case', id],
    queryFn: ({ signal }) => request<LatencyCase>(casePath(trace, id), { signal }),
    ...IMMUTABLE,
  });

/** The case as a text for a mail, as a self-contained page, or its ruler as a picture. */
export const caseReport = (trace: string, id: string, format: 'text' | 'html' | 'svg'): Promise<string> =>
  requestText(casePath(trace, id), { format });

/** Latencies of one kind over time, the longest of every pixel and CPU. */
export const seriesQuery = (trace: string, series: SeriesRequest) =>
  queryOptions({
    queryKey: ['trace', trace, 'latencies', 'series', series],
    queryFn: ({ signal }) =>
      request<LatencySeries>(`${path(trace)}/latencies/series`, { signal, query: { ...series } }),
    placeholderData: keepPreviousData,
    ...IMMUTABLE,
  });

/** Statistics and distribution of one kind, whole or by group. */
export const statsQuery = (trace: string, { bucket, ...stats }: StatsRequest) =>
  queryOptions({
    queryKey: ['trace', trace, 'latencies', 'stats', { bucket, ...stats }],
    queryFn: ({ signal }) =>
      request<LatencyStats>(`${path(trace)}/latencies/stats`, {
        signal,
        query: {
          ...stats,
          bucket: typeof bucket === 'string' ? bucket : `${bucket}ns`,
          buckets: MOST_BUCKETS,
        },
      }),
    placeholderData: keepPreviousData,
    ...IMMUTABLE,
  });

/** What interrupts, softirqs and other tasks took from every CPU and every task. */
export const interferenceQuery = (trace: string) =>
  queryOptions({
    queryKey: ['trace', trace, 'interference'],
    queryFn: ({ signal }) => request<Interference>(`${path(trace)}/interference`, { signal }),
    ...IMMUTABLE,
  });
