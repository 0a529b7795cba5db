import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { catalogQuery } from './catalog';
import type { components } from './generated';
import { request } from './request';

type Answers = components['schemas'];

type AnyLane = Answers['TimelineLane'];
export type TimelineLane = AnyLane & { readonly cpu: number };
export type TaskLane = AnyLane & { readonly task: NonNullable<AnyLane['task']> };

/** An answer with the server's kinds of slices, which its lanes name, and the lanes of tasks apart. */
export interface TimelineAnswer extends Omit<Readonly<Answers['Timeline']>, 'lanes'> {
  readonly kinds: readonly Answers['SliceKindItem'][];
  readonly lanes: readonly TimelineLane[];
  readonly taskLanes: readonly TaskLane[];
}

export interface LaneRequest {
  readonly start: number;
  readonly end: number;
  /** Pixels that the answer will be drawn on. */
  readonly width: number;
}

// A trace never changes, so an answer about it stays right for as long as it is kept.
const IMMUTABLE = { staleTime: Infinity, gcTime: 120_000, placeholderData: keepPreviousData } as const;

export interface TimelineRequest extends LaneRequest {
  /** Which lanes, as `cpu0,cpu1.irq`; all if absent. */
  readonly lanes?: string;
  /** Tasks that get a lane of their own, as pids `1359,20`. */
  readonly tasks?: string;
}

/** What the lanes of one window hold, for `width` pixels. */
export const timelineQuery = (trace: string, lanes: TimelineRequest) =>
  queryOptions({
    queryKey: ['trace', trace, 'timeline', lanes],
    queryFn: async ({ client, signal }): Promise<TimelineAnswer> => {
      const path = `/traces/${encodeURIComponent(trace)}/timeline`;
      const [answer, { slice_kinds: kinds }] = await Promise.all([
        request<Answers['Timeline']>(path, { signal, query: { ...lanes } }),
        client.ensureQueryData(catalogQuery),
      ]);
      const { lanes: all } = answer;
      return { ...answer, kinds, lanes: all.filter(isOfCpu), taskLanes: all.filter(isOfTask) };
    },
    ...IMMUTABLE,
  });

const isOfCpu = (lane: AnyLane): lane is TimelineLane => lane.cpu !== null;
const isOfTask = (lane: AnyLane): lane is TaskLane => lane.task !== null && lane.task !== undefined;
