import { queryOptions, useMutation } from '@tanstack/react-query';
import { TIE } from '../lib/label';
import type { components } from './generated';
import { queryClient } from './queryClient';
import { request } from './request';
import type { Trace } from './types';

type Schemas = components['schemas'];

export type Run = Schemas['RunAnswer'];
export type RunFile = Schemas['RunFileItem'];

const RUNS = ['run'] as const;

/** What was measured in the run of a trace, or the trace of a file of measurements. */
export const runQuery = (traceId: string) =>
  queryOptions({
    queryKey: [...RUNS, traceId],
    queryFn: ({ signal }) => request<Run>(`/traces/${encodeURIComponent(traceId)}/run`, { signal }),
  });

interface Pair {
  readonly measurement: string;
  readonly trace: string;
}

/** Says that a file of measurements and a trace are of the same run. */
export function useTie() {
  return useMutation({
    mutationFn: ({ measurement, trace }: Pair) =>
      request<Trace>(`/traces/${encodeURIComponent(measurement)}`, {
        method: 'PATCH',
        body: { labels: { [TIE]: trace } },
      }),
    onSuccess: (_, { measurement }) =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: RUNS }),
        queryClient.invalidateQueries({ queryKey: ['trace', measurement] }),
        // The catalog shows the tie, too.
        queryClient.invalidateQueries({ queryKey: ['traces'] }),
      ]),
  });
}
