import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { catalogQuery } from './catalog';
import type { components } from './generated';
import { drawnLane, type DrawnLane } from './laneColumns';
import { requestLanes } from './request';
import type { Trace } from './types';

type Answers = components['schemas'];

export type TimelineLane = DrawnLane<Answers['TimelineLane']>;

/** An answer with the server's kinds of slices, which its lanes name. */
export interface TimelineAnswer extends Readonly<Omit<Answers['Timeline'], 'lanes'>> {
  readonly lanes: readonly TimelineLane[];
  readonly kinds: readonly Answers['SliceKindItem'][];
  /** The CPUs that were asked for; absent where all were. */
  readonly onlyCpus?: readonly number[] | undefined;
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
  /** Tasks that get lanes of their own, as pids: `1359,20`. */
  readonly tasks?: string;
  /** CPUs whose lanes and counters are wanted; all if absent. */
  readonly onlyCpus?: readonly number[] | undefined;
}

/** What the lanes of one window hold, for `width` pixels. */
export const timelineQuery = (trace: string, lanes: TimelineRequest) =>
  queryOptions({
    queryKey: ['trace', trace, 'timeline', lanes],
    queryFn: async ({ client, signal }): Promise<TimelineAnswer> => {
      const path = `/traces/${encodeURIComponent(trace)}/timeline`;
      const { onlyCpus, ...query } = lanes;
      const ofCpus = onlyCpus && { lanes: onlyCpus.map((cpu) => `cpu${cpu}`).join(',') };
      const [answer, { slice_kinds: kinds }] = await Promise.all([
        requestLanes<Answers['Timeline']>(path, { signal, query: { ...query, ...ofCpus } }),
        client.ensureQueryData(catalogQuery),
      ]);
      const drawn = answer.lanes.map((lane) => drawnLane(lane, answer));
      return { ...answer, lanes: drawn, kinds, onlyCpus };
    },
    ...IMMUTABLE,
  });

const OVERVIEW_COLUMNS = 1200;

/** The whole of a trace in short: what its timeline shows first, and its minimap always. */
export const overviewQuery = ({ id, duration_ns: durationNs }: Pick<Trace, 'id' | 'duration_ns'>) =>
  // Half-open, so the last record needs one nanosecond more than the duration.
  timelineQuery(id, { start: 0, end: (durationNs ?? 0) + 1, width: OVERVIEW_COLUMNS });
