import { lastAtOrBefore } from '../chart/laneScene';
import { KEY_STEPS } from '../chart/stepByKey';
import type { PointOfSeries, SeriesPlot } from './series';

/**
 * The point that a key leads to from another one: along its row, or to the nearest in time on a row above or below.
 * The first key leads to the worst. Nothing where a key has no meaning here; the same point at an edge.
 */
export function pointByKey(
  plot: SeriesPlot,
  from: PointOfSeries | undefined,
  key: string,
): PointOfSeries | undefined {
  const [points, rows] = [KEY_STEPS[key] ?? 0, KEY_ROWS[key] ?? 0];
  if (points === 0 && rows === 0) return undefined;
  if (from === undefined) return plot.worst;
  if (rows !== 0) return onRow(plot, from, rows) ?? from;
  const [first, last] = inSight(plot, from.lane);
  return { lane: from.lane, index: Math.min(last, Math.max(first, from.index + points)) };
}

/** What the help sheet lists; the chart in focus takes them itself. */
export const POINT_KEYS = [
  { keys: ['ArrowLeft', 'ArrowRight'], does: 'Next point, with the chart in focus' },
  { keys: ['ArrowUp', 'ArrowDown'], does: 'Point of the next CPU' },
  { keys: ['Enter'], does: 'Open or pick the point' },
] as const;

const KEY_ROWS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** The first and the last point of a row that lie in the window. */
function inSight({ lanes, window }: SeriesPlot, row: number): readonly [number, number] {
  const t = lanes[row]?.t ?? [];
  return [lastAtOrBefore(t, window.start - 1) + 1, lastAtOrBefore(t, window.end)];
}

/** The point nearest in time on the next row that way which has one in sight. */
function onRow(plot: SeriesPlot, { lane, index }: PointOfSeries, by: number): PointOfSeries | undefined {
  const at = plot.lanes[lane]?.t[index] ?? plot.window.start;
  for (let row = lane + by; row >= 0 && row < plot.lanes.length; row += by) {
    const [first, last] = inSight(plot, row);
    if (first > last) continue;
    const t = plot.lanes[row]?.t ?? [];
    const before = Math.max(first, lastAtOrBefore(t, at));
    const after = Math.min(last, before + 1);
    const isAfter = Math.abs((t[after] ?? at) - at) < Math.abs((t[before] ?? at) - at);
    return { lane: row, index: isAfter ? after : Math.min(before, last) };
  }
  return undefined;
}
