import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components } from './generated';
import { drawnLane, type DrawnLane } from './laneColumns';
import type { LaneRequest } from './lanes';
import { request } from './request';

type Answers = components['schemas'];

export interface CallsAnswer extends Readonly<Omit<Answers['Calls'], 'lanes'>> {
  readonly lanes: readonly DrawnLane<Answers['CallLane']>[];
}
export type Call = Answers['CallItem'];
export type CallTreeAnswer = Answers['CallTree'];
export type CallTreeNode = Answers['CallTreeNode'];

/** Which calls are meant; none named means all. */
export interface CallFilter {
  readonly cpu: readonly number[];
  readonly pid: readonly number[];
}

export interface CallsRequest extends LaneRequest, CallFilter {
  readonly by: 'cpu' | 'task';
}

export interface CallTreeRequest extends CallFilter {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  /** Callers below their callees. */
  readonly invert: boolean;
  /** Only calls of this function, and what they call; upside down, what calls it. */
  readonly root?: string | undefined;
  /** Wall time, or the CPU time of the calls' own task. */
  readonly time: 'gross' | 'net';
}

// A trace never changes, so an answer about it stays right for as long as it is kept.
const IMMUTABLE = { staleTime: Infinity, gcTime: 120_000 } as const;

const listed = ({ cpu, pid }: CallFilter) => ({ cpu: cpu.join(','), pid: pid.join(',') });
const path = (trace: string) => `/traces/${encodeURIComponent(trace)}`;

/** The calls of one window, one lane for each CPU or task and depth. */
export const callsQuery = (trace: string, calls: CallsRequest) =>
  queryOptions({
    queryKey: ['trace', trace, 'calls', calls],
    queryFn: async ({ signal }): Promise<CallsAnswer> => {
      const query = { ...calls, ...listed(calls) };
      const answer = await request<Answers['Calls']>(`${path(trace)}/calls`, { signal, query });
      return { ...answer, lanes: answer.lanes.map((lane) => drawnLane(lane, answer)) };
    },
    placeholderData: keepPreviousData,
    ...IMMUTABLE,
  });

/** One call by its public id, with the calls that it is in. */
export const callQuery = (trace: string, id: string) =>
  queryOptions({
    queryKey: ['trace', trace, 'call', id],
    queryFn: ({ signal }) =>
      request<Answers['CallInContext']>(`${path(trace)}/calls/${encodeURIComponent(id)}`, { signal }),
    ...IMMUTABLE,
  });

/** Calls of a window merged by their stacks; of the whole trace without one. */
export const callTreeQuery = (trace: string, { invert, time, ...tree }: CallTreeRequest) =>
  queryOptions({
    queryKey: ['trace', trace, 'calltree', { invert, time, ...tree }],
    queryFn: ({ signal }) =>
      request<CallTreeAnswer>(`${path(trace)}/calltree`, {
        signal,
        query: {
          ...tree,
          ...listed(tree),
          invert: invert ? 'true' : undefined,
          time: time === 'net' ? 'net' : undefined,
        },
      }),
    placeholderData: keepPreviousData,
    ...IMMUTABLE,
  });

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
