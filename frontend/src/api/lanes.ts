import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components } from './generated';
import { request } from './request';

type Answers = components['schemas'];

export type TimelineAnswer = Answers['Timeline'];
export type TimelineLane = Answers['TimelineLane'];

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
}

/** What the lanes of one window hold, for `width` pixels. */
export const timelineQuery = (trace: string, lanes: TimelineRequest) =>
  queryOptions({
    queryKey: ['trace', trace, 'timeline', lanes],
    queryFn: ({ signal }) =>
      request<TimelineAnswer>(`/traces/${encodeURIComponent(trace)}/timeline`, {
        signal,
        query: { ...lanes },
      }),
    ...IMMUTABLE,
  });
