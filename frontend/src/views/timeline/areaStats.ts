import { isOfCpu, type CpuLane, type TimelineAnswer } from '../../components/lanes/laneAnswer';
import { spanOf, type TimeWindow } from '../../components/chart/timeWindow';
import { isIdleTask, itemName, type ItemNames } from '../../components/lanes/laneModel';

/** What one name took of a stretch: a task, an interrupt, a softirq, an idle state. */
export interface ShareOfTime {
  readonly kind: string;
  readonly name: string;
  readonly cpu: number;
  readonly count: number;
  readonly total_ns: number;
  readonly max_ns: number;
  /** One item of it, for its colour. */
  readonly lane: CpuLane;
  readonly index: number;
  /** Of the stretch, 0..1. */
  readonly share: number;
}

export interface AreaStats {
  readonly shares: readonly ShareOfTime[];
  /** False where the server answered with buckets: then sums at the edges, and names, are those of the buckets. */
  readonly isExact: boolean;
}

/**
 * What happened in [start, end) by CPU and name, the largest first. Slices that reach over the edge count with
 * the part that lies inside; idle tasks do not count, because they stand for nothing running.
 */
export function areaStats(answer: TimelineAnswer, area: TimeWindow): AreaStats {
  const shares = new Map<string, Mutable>();
  for (const lane of answer.lanes.filter(isOfCpu)) addLane(shares, lane, answer, area);
  return {
    shares: [...shares.values()]
      .map((share) => ({ ...share, share: share.total_ns / Math.max(1, spanOf(area)) }))
      .toSorted((a, b) => b.total_ns - a.total_ns || a.name.localeCompare(b.name)),
    isExact: answer.lanes.every((lane) => lane.detail === 'slices'),
  };
}

type Mutable = { -readonly [K in keyof Omit<ShareOfTime, 'share'>]: ShareOfTime[K] };

function addLane(shares: Map<string, Mutable>, lane: CpuLane, names: ItemNames, area: TimeWindow): void {
  lane.t.forEach((start, index) => {
    const length = lane.duration_ns[index] ?? 0;
    if (isIdleTask(lane, index, names) || start >= area.end || start + Math.max(1, length) <= area.start)
      return;
    const inside = Math.min(start + length, area.end) - Math.max(start, area.start);
    const isBucket = lane.detail === 'buckets';
    const total = isBucket ? Math.min(inside, lane.busy_ns?.[index] ?? 0) : inside;
    const name = itemName(lane, index, names);
    const key = `${lane.cpu}/${lane.kind}/${name}`;
    const share = shares.get(key) ?? {
      kind: lane.kind,
      name,
      cpu: lane.cpu,
      count: 0,
      total_ns: 0,
      max_ns: 0,
      lane,
      index,
    };
    share.count += isBucket ? (lane.count?.[index] ?? 1) : 1;
    share.total_ns += total;
    share.max_ns = Math.max(share.max_ns, isBucket ? (lane.max_ns?.[index] ?? 0) : length);
    shares.set(key, share);
  });
}
