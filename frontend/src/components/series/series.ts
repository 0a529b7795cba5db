import { measureOf, type Measure } from '../../lib/measure';
import { AXIS_HEIGHT_PX } from '../chart/laneScene';
import { lastAtOrBefore } from '../chart/laneScene';
import { spanOf, type TimeWindow } from '../chart/timeWindow';
import { axisOfEnds, durationAxis, place, type DurationAxis, type Scale } from './durationAxis';

/** The points of one CPU, in order of time; each is the longest of `count` that lie so close that they are one. */
export interface PointLane {
  readonly cpu: number;
  readonly t: readonly number[];
  readonly duration_ns: readonly number[];
  readonly count: readonly number[];
  /** What a point opens. */
  readonly id: readonly string[];
}

/** Single points as columns. */
export interface PointColumns {
  readonly id: readonly string[];
  readonly t: readonly number[];
  readonly duration_ns: readonly number[];
  readonly cpu: readonly number[];
}

/** Points, in order of time, by the CPU that they were on. */
export function lanesByCpu({ id, t, duration_ns, cpu }: PointColumns): readonly PointLane[] {
  const cpus = [...new Set(cpu)].toSorted((a, b) => a - b);
  return cpus.map((own) => {
    const on = t.flatMap((_, index) => (cpu[index] === own ? index : []));
    return {
      cpu: own,
      t: on.map((index) => t[index] ?? 0),
      duration_ns: on.map((index) => duration_ns[index] ?? 0),
      count: on.map(() => 1),
      id: on.map((index) => id[index] ?? ''),
    };
  });
}

/** Where the point with this id is, if it is there. */
export function findPoint(lanes: readonly PointLane[], id: string): PointOfSeries | undefined {
  for (const [lane, { id: ids }] of lanes.entries()) {
    const index = ids.indexOf(id);
    if (index >= 0) return { lane, index };
  }
  return undefined;
}

/** The rows of the plot, one for each CPU, all with the same two axes. */
export interface SeriesPlot {
  readonly lanes: readonly PointLane[];
  readonly window: TimeWindow;
  /** How the values of the points are said. */
  readonly measure: Measure;
  readonly axis: DurationAxis;
  readonly rowPx: number;
  readonly heightPx: number;
  /** The one in sight that is looked for: the longest, or the smallest of numbers that count work. */
  readonly worst: PointOfSeries | undefined;
  readonly worstIs: WorstIs;
  /** Samples behind the points in sight. */
  readonly sampleCount: number;
}

export interface PointOfSeries {
  readonly lane: number;
  readonly index: number;
}

/** Which end of the values is the bad one. */
export type WorstIs = 'largest' | 'smallest';

/** The number of CPUs that have a row; of more, those with the longest latencies. */
export const MOST_ROWS = 48;

/** Between two rows, so that the points of one do not touch those of the next. */
export const ROW_GAP_PX = 6;

/** Right of the plot, so that the longest of all is not cut where it is the last one, too. */
export const EDGE_PX = 8;

/** From the middle of one label to that of the next. */
const LABEL_ROOM_PX = 18;

/** Under the last row, so that the name of its lowest level is not cut. */
const LABEL_PX = 8;

/** The plot of what lies in `window`; the range of durations is that of the points in sight. */
export function seriesPlot(
  series: {
    readonly lanes: readonly PointLane[];
    readonly unit?: string;
    readonly cpuCount?: number | undefined;
  },
  window: TimeWindow,
  scale: Scale,
  cpus: readonly number[],
  worstIs: WorstIs = 'largest',
): SeriesPlot {
  const lanes = shownLanes(series.lanes, cpus);
  const seen = pointsIn(lanes, window);
  let [low, high] = [Infinity, 1];
  let worst: PointOfSeries | undefined;
  let sampleCount = 0;
  for (const point of seen) {
    const duration = lanes[point.lane]?.duration_ns[point.index] ?? 0;
    const isWorse = worstIs === 'largest' ? duration > high : duration < low;
    if (isWorse || worst === undefined) worst = point;
    low = Math.min(low, duration);
    high = Math.max(high, duration);
    sampleCount += lanes[point.lane]?.count[point.index] ?? 1;
  }
  const rowPx = heightOfRow(lanes.length, series.cpuCount);
  const most = Math.max(2, Math.floor(rowPx / 24));
  const measure = measureOf(series.unit);
  const axis = durationAxis(Math.min(low, high), high, scale, most, measure);
  const readable = withRoom(axis, rowPx - ROW_GAP_PX);
  return {
    lanes,
    window,
    measure,
    axis: readable.ticks.length > 1 ? readable : axisOfEnds(axis, measure),
    rowPx,
    heightPx: chartHeight(lanes.length, rowPx),
    worst,
    worstIs,
    sampleCount,
  };
}

/** Without ticks whose labels would touch those of the one below. */
function withRoom(axis: DurationAxis, heightPx: number): DurationAxis {
  const perPx = (axis.max - axis.min) / heightPx;
  const ticks: DurationAxis['ticks'][number][] = [];
  for (const tick of axis.ticks) {
    const below = ticks.at(-1);
    if (below === undefined || tick.at - below.at >= LABEL_ROOM_PX * perPx) ticks.push(tick);
  }
  return { ...axis, ticks };
}

function shownLanes(lanes: readonly PointLane[], cpus: readonly number[]): readonly PointLane[] {
  const chosen = lanes.filter(({ cpu }) => cpus.length === 0 || cpus.includes(cpu)).map(fromTheStart);
  if (chosen.length <= MOST_ROWS) return chosen;
  return chosen
    .toSorted((a, b) => longestOf(b) - longestOf(a))
    .slice(0, MOST_ROWS)
    .toSorted((a, b) => a.cpu - b.cpu);
}

/** What began before the recording is drawn where the recording begins: it is there, and can be opened. */
function fromTheStart(lane: PointLane): PointLane {
  return (lane.t[0] ?? 0) >= 0 ? lane : { ...lane, t: lane.t.map((at) => Math.max(0, at)) };
}

function longestOf({ duration_ns }: PointLane): number {
  return duration_ns.reduce((most, one) => Math.max(most, one), 0);
}

/** The height of the rows of a number of CPUs, with the axis above them, in pixels. */
export function seriesHeight(count: number): number {
  const rows = Math.min(MOST_ROWS, count);
  return chartHeight(rows, heightOfRow(rows));
}

const chartHeight = (rows: number, rowPx: number) => AXIS_HEIGHT_PX + rows * rowPx + LABEL_PX;

/** Of so few CPUs, the rows of those with points take the room of all. */
const FEW_CPUS = 10;

/** Few CPUs get tall rows; many get rows that still show a spike. The chart is as high before its points are known. */
function heightOfRow(count: number, cpuCount = count): number {
  const least = count <= 1 ? 144 : Math.max(28, Math.min(96, Math.floor(288 / count)));
  if (cpuCount <= count || cpuCount > FEW_CPUS) return least;
  return Math.max(least, Math.floor((cpuCount * heightOfRow(cpuCount)) / Math.max(1, count)));
}

function pointsIn(lanes: readonly PointLane[], window: TimeWindow): readonly PointOfSeries[] {
  return lanes.flatMap(({ t }, lane) => {
    const first = lastAtOrBefore(t, window.start - 1) + 1;
    const last = lastAtOrBefore(t, window.end);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => ({ lane, index: first + at }));
  });
}

/** Where a point is painted, in pixels from the left of the plot and from the top of the chart. */
export function pixelOf(
  plot: SeriesPlot,
  width: number,
  { lane, index }: PointOfSeries,
): { readonly x: number; readonly y: number } | undefined {
  const columns = plot.lanes[lane];
  const [t, duration] = [columns?.t[index], columns?.duration_ns[index]];
  if (t === undefined || duration === undefined) return undefined;
  return { x: ((t - plot.window.start) / spanOf(plot.window)) * width, y: levelOf(plot, lane, duration) };
}

/** Where a duration lies in a row, in pixels from the top of the chart; past the axis, at its end. */
export function levelOf(plot: SeriesPlot, row: number, duration: number): number {
  const { min, max, scale } = plot.axis;
  const level = Math.min(1, Math.max(0, (place(duration, scale) - min) / (max - min)));
  const inner = plot.rowPx - ROW_GAP_PX;
  return AXIS_HEIGHT_PX + row * plot.rowPx + ROW_GAP_PX + (1 - level) * inner;
}

/** How far from a point the pointer still means it. */
const REACH_PX = 12;

/** The point nearest to the pointer, if one is near. */
export function pointNear(plot: SeriesPlot, width: number, x: number, y: number): PointOfSeries | undefined {
  const at = plot.window.start + (x / Math.max(1, width)) * spanOf(plot.window);
  const reach = (REACH_PX / Math.max(1, width)) * spanOf(plot.window);
  let [nearest, least]: [PointOfSeries | undefined, number] = [undefined, REACH_PX ** 2];
  for (const point of pointsIn(plot.lanes, { start: at - reach, end: at + reach })) {
    const pixel = pixelOf(plot, width, point);
    const distance = pixel === undefined ? Infinity : (pixel.x - x) ** 2 + (pixel.y - y) ** 2;
    if (distance <= least) [nearest, least] = [point, distance];
  }
  return nearest;
}
