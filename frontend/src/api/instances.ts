import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components } from './generated';
import { request } from './request';

export type FunctionInstances = components['schemas']['FunctionInstances'];

export interface InstancesRequest {
  readonly function: string;
  readonly start: number;
  readonly end: number;
  /** The most points. */
  readonly limit: number;
}

/** The calls of one function that touch a stretch of the trace, as points; of too many, every extreme is kept. */
export const instancesQuery = (trace: string, instances: InstancesRequest) =>
  queryOptions({
    queryKey: ['trace', trace, 'instances', instances],
    queryFn: ({ signal }) =>
      request<FunctionInstances>(`/traces/${encodeURIComponent(trace)}/functions/instances`, {
        signal,
        query: { ...instances },
      }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 120_000,
  });
