import type { TimelineLane } from '../../components/lanes/laneAnswer';
import type { LaneHit } from '../../components/chart/LaneChart';
import { lastAtOrBefore } from '../../components/chart/laneScene';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { ns } from '../../lib/ns';
import type { SliceId } from '../../viewState/itemIds';
import { isIdleTask, type ItemNames, type PlannedLane } from '../../components/lanes/laneModel';
import { isOfOneTask } from '../../components/lanes/taskLanes';

/** What interrupts a task is selected on the lanes of its CPU. */
const isInterruption = (lane: TimelineLane) => isOfOneTask(lane) && lane.depth > 0;

/** The lasting name of the item that was hit; of a bucket, that of the longest slice in it. */
export function sliceIdOf(lanes: readonly PlannedLane[], hit: LaneHit): SliceId | undefined {
  const planned = lanes[hit.row];
  const lane = planned?.lane;
  if (lane === undefined || isInterruption(lane) || hit.item === undefined) return undefined;
  const start = lane.detail === 'buckets' ? lane.max_start?.[hit.item] : lane.t[hit.item];
  if (start === undefined) return undefined;
  const { kind, depth } = lane;
  if (isOfOneTask(lane)) return { cpu: 0, kind, depth, pid: lane.task.pid, t: ns(start) };
  return lane.cpu === null ? undefined : { cpu: lane.cpu, kind, depth, t: ns(start) };
}

/** Where the slice lies in what is loaded now; the bucket that holds it, where slices are too narrow to be drawn. */
export function findSlice(lanes: readonly PlannedLane[], id: SliceId): LaneHit | undefined {
  const row = lanes.findIndex(({ lane }) => lane && isLaneOf(lane, id));
  const lane = lanes[row]?.lane;
  if (lane === undefined) return undefined;
  const item = lastAtOrBefore(lane.t, id.t);
  const start = lane.t[item];
  if (start === undefined) return undefined;
  const holds = lane.detail === 'buckets' ? id.t < start + (lane.duration_ns[item] ?? 0) : start === id.t;
  return holds ? { row, item, at: id.t } : undefined;
}

/** The slice of that name among the lanes of an answer that shows single slices around it. */
export function sliceAt(
  lanes: readonly TimelineLane[],
  id: SliceId,
): { lane: TimelineLane; index: number } | undefined {
  const lane = lanes.find((candidate) => isLaneOf(candidate, id) && candidate.detail === 'slices');
  const index = lane?.t.indexOf(id.t) ?? -1;
  return lane && index >= 0 ? { lane, index } : undefined;
}

const isLaneOf = (lane: TimelineLane, { cpu, kind, depth, pid }: SliceId) =>
  lane.depth === depth &&
  (isOfOneTask(lane) ? lane.task.pid === pid : pid === undefined && lane.cpu === cpu && lane.kind === kind);

export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * The item that an arrow key leads to: sideways the next one of the lane that is not idle, up and down what
 * the neighbouring lanes have at the same time, nearest lane first.
 */
export function neighbourOf(
  lanes: readonly PlannedLane[],
  names: ItemNames,
  from: LaneHit,
  direction: Direction,
): LaneHit | undefined {
  if (direction === 'left' || direction === 'right')
    return besideOf(lanes, names, from, direction === 'left' ? -1 : 1);
  const step = direction === 'up' ? -1 : 1;
  for (let row = from.row + step; row >= 0 && row < lanes.length; row += step) {
    const lane = lanes[row]?.lane;
    if (lane === undefined || lane.t.length === 0 || isInterruption(lane)) continue;
    const item = Math.max(0, lastAtOrBefore(lane.t, from.at));
    return { row, item, at: lane.t[item] ?? from.at };
  }
  return undefined;
}

/** Where the arrow keys begin while nothing is selected: what the uppermost lane has at a time. */
export function firstAt(lanes: readonly PlannedLane[], names: ItemNames, at: number): LaneHit | undefined {
  return neighbourOf(lanes, names, { row: -1, at }, 'down');
}

/** Whether any of the item lies in the window. */
export function isInSight(
  lanes: readonly PlannedLane[],
  { row, item }: LaneHit,
  window: TimeWindow,
): boolean {
  const lane = lanes[row]?.lane;
  const start = item === undefined ? undefined : lane?.t[item];
  if (lane === undefined || item === undefined || start === undefined) return false;
  return start < window.end && start + Math.max(1, lane.duration_ns[item] ?? 0) > window.start;
}

function besideOf(
  lanes: readonly PlannedLane[],
  names: ItemNames,
  from: LaneHit,
  step: 1 | -1,
): LaneHit | undefined {
  const lane = lanes[from.row]?.lane;
  if (lane === undefined || from.item === undefined) return undefined;
  for (let item = from.item + step; item >= 0 && item < lane.t.length; item += step) {
    if (!isIdleTask(lane, item, names)) return { row: from.row, item, at: lane.t[item] ?? from.at };
  }
  return undefined;
}
