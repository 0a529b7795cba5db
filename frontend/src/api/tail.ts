import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components } from './generated';
import type { SamplesOf } from './latencies';
import { request } from './request';

type Schemas = components['schemas'];

export type LatencyTail = Schemas['LatencyTail'];
export type TailBand = Schemas['TailBand'];
export type TailCause = Schemas['TailCause'];

/** Half-open, in nanoseconds. */
interface Durations {
  readonly start: number;
  readonly end: number;
}

/** What took the time of all samples of a kind, from the ordinary ones to the slowest; made when the trace was loaded. */
export const tailQuery = (trace: string, { kind, pid, comm, priority_class }: SamplesOf, band?: Durations) =>
  queryOptions({
    queryKey: ['trace', trace, 'latencies', 'tail', kind, pid, comm, priority_class, band],
    queryFn: ({ signal }) =>
      request<LatencyTail>(`/traces/${encodeURIComponent(trace)}/latencies/tail`, {
        signal,
        // Half-open here, and both ends included where the server is asked.
        query: {
          kind,
          pid,
          comm,
          priority_class,
          min: band && `${band.start}ns`,
          max: band && `${band.end - 1}ns`,
        },
      }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
