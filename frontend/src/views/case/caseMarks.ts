import type { LatencyCase } from '../../api/latencyTypes';
import type { LaneMark } from '../../components/chart/LaneOverlay';
import { AXIS_HEIGHT_PX } from '../../components/chart/laneScene';
import { ticksOf, type AxisTicks } from '../../components/chart/timeTicks';
import { MIN_SPAN_NS, placeWindow, type TimeWindow } from '../../components/chart/timeWindow';
import type { Clock } from '../../lib/clock';
import { ns } from '../../lib/ns';
import type { NsRange } from '../../viewState/fields';
import { timelineState } from '../../viewState/timeline';
import type { RawSearch } from '../../viewState/viewSpec';
import { caseCpus, caseTasks } from './taskLanes';

/** Pixels for the lanes of one CPU: a high window has room for more than a laptop's. */
const cpuPx = (windowPx: number) => Math.max(112, Math.round(windowPx * 0.14));

/** Pixels for the row of a task with the gap above it. */
export const taskRowPx = (windowPx: number): number => Math.max(36, Math.round(windowPx * 0.04));

/** Pixels for the lanes of a case, known before the lanes are, so that nothing moves when they come. */
export function lanesHeight(latencyCase: Parameters<typeof caseCpus>[0], windowPx: number): number {
  const cpus = caseCpus(latencyCase).length * cpuPx(windowPx);
  return AXIS_HEIGHT_PX + cpus + caseTasks(latencyCase).length * taskRowPx(windowPx);
}

/** How much of the case's own length is seen before and after it. */
const MARGIN = 0.06;

/** The whole trace, and what a tracer reports of the time before its first record. */
export function caseDomain({ window }: LatencyCase, traceNs: number): TimeWindow {
  return { start: Math.min(0, window.start), end: traceNs + 1 };
}

/** What ruler and lanes show first: the case over the full width; of a mere moment what the server chose. */
export function homeWindow({ window, t, end }: LatencyCase, domain: TimeWindow): TimeWindow {
  if (end - t < MIN_SPAN_NS) {
    return placeWindow(window.start, Math.max(MIN_SPAN_NS, window.end - window.start), domain);
  }
  const start = Math.max(domain.start, Math.round(t - (end - t) * MARGIN));
  return { start, end: Math.min(domain.end, Math.round(end + (end - t) * MARGIN)) };
}

/** Round times since the start of the case, as the table of its events counts them. */
export function caseTicks(
  start: number,
  window: TimeWindow,
  width: number,
  clock: Pick<Clock, 'isCounting'>,
): AxisTicks {
  const ticks = ticksOf(clock);
  const since = { start: window.start - start, end: window.end - start };
  // Far from the case a stamp of the trace says more.
  if (since.end <= 0) return ticks(window, width);
  const { at, base, unit } = ticks(since, width);
  if (base !== undefined) return ticks(window, width);
  return {
    at: at.map(({ value, label }) => ({ value: value + start, label })),
    ...(unit !== undefined && { unit }),
  };
}

/** Lines at the moments between its stages, and at its ends. */
export function caseMarks({
  t,
  end,
  stages,
}: Pick<LatencyCase, 't' | 'end' | 'stages'>): readonly LaneMark[] {
  const moments = stages.slice(1).map(({ start_ns }) => start_ns);
  return [
    ...[...new Set(moments)].map((at): LaneMark => ({ id: `stage ${at}`, at, kind: 'hover' })),
    { id: 'start', at: t, kind: 'cursor' },
    { id: 'end', at: end, kind: 'cursor' },
  ];
}

/** The timeline's address at the surroundings of a case, with the case itself open there and its stretch selected. */
export function timelineAround({
  id = '',
  window,
  t,
  end,
}: Pick<LatencyCase, 'window' | 't' | 'end'> & Partial<Pick<LatencyCase, 'id'>>): RawSearch {
  return timelineState.write({
    ...timelineState.read({}).state,
    window: stretch(window.start, window.end),
    area: stretch(t, end),
    case: id,
  });
}

/** Inside the trace and never empty, as the timeline wants it. */
function stretch(start: number, end: number): NsRange {
  return { start: ns(Math.max(0, start)), end: ns(Math.max(end, start + 1, 1)) };
}
