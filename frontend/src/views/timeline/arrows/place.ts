import type { LatencyCase } from '../../../api/latencyTypes';
import type { LaneHit } from '../../../components/chart/LaneChart';
import type { PlannedLane } from '../../../components/lanes/laneModel';
import type { EventId } from '../../../viewState/itemIds';
import type { TimelineState } from '../../../viewState/timeline';
import type { ArrowPlace } from './arrow';

type SliceLane = Pick<NonNullable<PlannedLane['lane']>, 't' | 'duration_ns'>;
type Selection = Pick<TimelineState, 'slice' | 'event'>;

/** Where arrows of an opened case begin and end: its task, or the CPU where it has none. */
export function placeOfCase({
  t,
  end,
  pid,
  cpu,
}: Pick<LatencyCase, 't' | 'end' | 'pid' | 'cpu'>): ArrowPlace {
  return { start: t, end, ...(pid === null ? { cpu } : { pid }) };
}

/** Where arrows of the selection begin and end; nothing where neither a slice nor an event is selected. */
export function placeOf(
  { slice, event }: Selection,
  lanes: readonly PlannedLane[] | undefined,
  selected: LaneHit | undefined,
): ArrowPlace | undefined {
  if (event) return placeOfEvent(event, lanes ?? []);
  if (slice === undefined) return undefined;
  const lane = lanes?.[selected?.row ?? -1]?.lane;
  const item = selected?.item ?? -1;
  // Of a bucket its longest slice is what is selected.
  const isLongest = lane?.detail === 'buckets' && lane.max_start?.[item] === slice.t;
  const duration = isLongest ? lane.max_ns?.[item] : lane?.detail === 'slices' ? lane.duration_ns[item] : 0;
  const stretch = { start: slice.t, end: slice.t + (duration ?? 0) };
  return slice.pid === undefined ? { ...stretch, cpu: slice.cpu } : { ...stretch, pid: slice.pid };
}

/**
 * The slice that an event is part of, such as the interrupt that it happened in: the shortest one around it on the
 * lanes of its CPU, or the instant alone where they show none one by one.
 */
function placeOfEvent({ cpu, t }: EventId, lanes: readonly PlannedLane[]): ArrowPlace {
  const around = lanes
    .filter((planned) => planned.pid === undefined && planned.cpu === cpu)
    .flatMap(({ lane }) => (lane?.detail === 'slices' ? slicesAt(lane, t) : []))
    .toSorted((a, b) => a.end - a.start - (b.end - b.start))[0];
  return around === undefined ? { start: t, end: t, cpu } : { ...around, cpu, at: t };
}

function slicesAt({ t: starts, duration_ns }: SliceLane, at: number) {
  return starts.flatMap((start, index) => {
    const end = start + (duration_ns[index] ?? 0);
    return start <= at && at < end ? [{ start, end }] : [];
  });
}
