import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { overviewQuery, timelineQuery, type TimelineRequest } from '../../api/lanes';
import type { Trace } from '../../api/types';
import { laneStretch, neighbourWindows, useLaneStretch } from '../../components/chart/laneRequest';
import { spanOf, type TimeWindow } from '../../components/chart/timeWindow';
import { AXIS_HEIGHT_PX, MOST_ROW_PX, type LaneScene } from '../../components/chart/laneScene';
import { useTheme } from '../../components/theme/theme';
import { fillLanes, planLanes, presentKinds, type LaneChoice } from '../../components/lanes/laneModel';
import { notDrawn } from './lanes/notDrawn';
import { withOtherCpus } from './lanes/withOtherCpus';
import { mostLanesPx, timelineScene } from '../../components/lanes/timelineScene';
import { arrangeLanes, type Arrangement } from './lanes/arrangeLanes';

const PREFETCH_AFTER_MS = 250;
/** Of the height, lanes that have all the room that they can use leave calls at least this part. */
const CALLS_SHARE = 0.5;
const NO_TASKS: readonly number[] = [];
const NO_CPUS: readonly number[] = [];

/** Pixels that the lanes have: of time, and for rows below the axis and it. */
export interface PlotSize {
  readonly width: number;
  readonly height: number;
}

/** What the timeline shows: the whole trace in short, the window in full, and the scene made of it. */
export function useTimeline(
  trace: Trace,
  domain: TimeWindow,
  window: TimeWindow,
  { width, height }: PlotSize,
  { cpu, hide, tasks = NO_TASKS, areTasksKnown }: LaneChoice & { readonly areTasksKnown: boolean },
  { pin, order, without, height: lanePx }: Arrangement & { readonly height: number | undefined },
  onlyCpus: readonly number[] | undefined,
  taskPx: number | undefined,
) {
  const stretch = useLaneStretch(window, domain, width);
  const overview = useQuery(overviewQuery(trace));
  const pids = tasks.join(',');
  const chosen = useMemo(
    () => ({ ...(pids !== '' && { tasks: pids }), ...(onlyCpus && { onlyCpus }) }),
    [pids, onlyCpus],
  );
  const detail = useQuery({
    ...timelineQuery(trace.id, { ...stretch, ...chosen }),
    enabled: width > 0 && areTasksKnown,
  });
  usePrefetch(trace.id, window, domain, width, chosen, detail.isSuccess && !detail.isFetching);
  const { name, palette } = useTheme();

  const whole = overview.data;
  // Of the whole trace, what the minimap shows is there first, and nearly the same.
  const isWhole =
    areTasksKnown && tasks.length === 0 && window.start <= domain.start && window.end >= domain.end;
  const loaded = detail.data;
  const seen = useMemo(() => loaded && withOtherCpus(loaded, whole), [loaded, whole]);
  const best = seen ?? (isWhole && height > 0 ? whole : undefined);
  // What the whole has decides which lanes there are: those that came later would move the others.
  const answer = overview.isPending ? undefined : best;
  const plans = useMemo(
    () =>
      arrangeLanes(
        planLanes(
          [whole, answer].filter((known) => known !== undefined),
          { cpu, hide, tasks },
        ),
        { pin, order, without },
      ),
    [whole, answer, cpu, hide, tasks, pin, order, without],
  );
  const kinds = useMemo(
    () => presentKinds([whole, answer].filter((known) => known !== undefined)),
    [whole, answer],
  );
  const lanes = useMemo(() => (answer ? fillLanes(plans, answer) : undefined), [plans, answer]);
  const callsPx = plans.length === 0 && answer === undefined ? 0 : roomForCalls(trace, plans.length, height);
  const room = height - callsPx - AXIS_HEIGHT_PX;
  const scene: LaneScene | undefined = useMemo(
    () => lanes && answer && timelineScene(lanes, answer, { name, palette }, { room, lanePx, taskPx }),
    [lanes, answer, name, palette, room, lanePx, taskPx],
  );
  const wanted = laneStretch(window, domain, width);
  return {
    overview: whole,
    answer,
    lanes,
    kinds,
    scene,
    notDrawn: useMemo(
      () => notDrawn(whole, loaded, trace.cpus ?? NO_CPUS, cpu),
      [whole, loaded, trace.cpus, cpu],
    ),
    /** There are neither lanes nor calls to draw. */
    hasNothing: scene?.rows.length === 0 && callsPx === 0,
    /** Pixels of the height that are left for calls; none where the lanes can use it. */
    callsPx,
    /** Pixels that the lanes can use, where something else can use the rest. */
    mostPx:
      taskPx !== undefined && callsPx === 0 && lanePx === undefined && lanes && answer
        ? AXIS_HEIGHT_PX + mostLanesPx(lanes, answer, taskPx)
        : undefined,
    error: detail.error ?? overview.error,
    retry: () => void Promise.all([detail.refetch(), overview.refetch()]),
    /** The picture shows exactly what was asked for, not older data in its place. */
    isComplete:
      detail.isSuccess &&
      !detail.isPlaceholderData &&
      wanted.start === stretch.start &&
      wanted.width === stretch.width,
  };
}

/** What few lanes leave of the height to the calls of a trace that has some. */
function roomForCalls({ call_count: calls }: Trace, laneCount: number, height: number): number {
  const lanesPx = laneCount === 0 ? 0 : AXIS_HEIGHT_PX + laneCount * MOST_ROW_PX;
  const isShown = (calls ?? 0) > 0 && height - lanesPx >= height * CALLS_SHARE;
  return isShown ? height - lanesPx : 0;
}

export type TimelineData = ReturnType<typeof useTimeline>;

/** Loads what a pan to either side and a step back would ask for, once the window itself is there. */
function usePrefetch(
  trace: string,
  window: TimeWindow,
  domain: TimeWindow,
  width: number,
  chosen: Pick<TimelineRequest, 'tasks' | 'onlyCpus'>,
  isLoaded: boolean,
) {
  const client = useQueryClient();
  const { start, end } = window;
  useEffect(() => {
    if (!isLoaded || width === 0) return undefined;
    const timer = setTimeout(() => {
      const here = { start, end };
      const out = { start: start - spanOf(here) / 2, end: end + spanOf(here) / 2 };
      for (const next of [...neighbourWindows(here, domain), out]) {
        const request = { ...laneStretch(next, domain, width), ...chosen };
        void client.prefetchQuery(timelineQuery(trace, request));
      }
    }, PREFETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [client, trace, start, end, domain, width, chosen, isLoaded]);
}
