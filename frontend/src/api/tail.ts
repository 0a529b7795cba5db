import { queryOptions } from '@tanstack/react-query';
import type { components } from './generated';
import type { SamplesOf } from './latencies';
import { request } from './request';

type Schemas = components['schemas'];

export type LatencyTail = Schemas['LatencyTail'];
export type TailBand = Schemas['TailBand'];
export type TailCause = Schemas['TailCause'];

/** What took the time of all samples of a kind, from the ordinary ones to the slowest; made when the trace was loaded. */
export const tailQuery = (trace: string, { kind, pid, priority_class }: SamplesOf) =>
  queryOptions({
    queryKey: ['trace', trace, 'latencies', 'tail', kind, pid, priority_class],
    queryFn: ({ signal }) =>
      request<LatencyTail>(`/traces/${encodeURIComponent(trace)}/latencies/tail`, {
        signal,
        query: { kind, pid, priority_class },
      }),
    staleTime: 60_000,
  });
