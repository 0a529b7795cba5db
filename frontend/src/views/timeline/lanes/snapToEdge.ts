import { lastAtOrBefore, type LaneItems } from '../../../components/chart/laneScene';

/** The edge of an item nearest to an instant, if it is no further away than `within`; else the instant itself. */
export function snapToEdge({ start, duration }: LaneItems, at: number, within: number): number {
  const before = lastAtOrBefore(start, at);
  const edges = [before - 1, before, before + 1].flatMap((item) => {
    const begin = start[item];
    return begin === undefined ? [] : [begin, begin + (duration[item] ?? 0)];
  });
  const nearest = edges.reduce<number | undefined>(
    (best, edge) => (best === undefined || Math.abs(edge - at) < Math.abs(best - at) ? edge : best),
    undefined,
  );
  return nearest !== undefined && Math.abs(nearest - at) <= within ? nearest : at;
}
