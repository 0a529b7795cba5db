import { niceStep } from '../../components/series/durationAxis';
import type { PlotKind } from '../../viewState/query';
import type { ResultPlot } from './resultPlot';

/** An axis from one end to the other, with the round values that are marked on it. */
export interface ResultAxis {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
}

export interface ResultAxes {
  readonly x: ResultAxis;
  readonly y: ResultAxis;
  /** Along the bottom, what the bars of one row have between them; absent where there are none. */
  readonly slot?: number;
}

/** Both axes: heights begin at zero, and bars at the ends of the lower axis have room for all of their width. */
export function resultAxes(plot: ResultPlot, kind: PlotKind): ResultAxes {
  const heights = plot.series.flatMap(({ points }) => points.map(([, y]) => y));
  const y = roundAxis([...heights, 0], plot.series[0]?.column.unit === 'ns');
  const places = plot.places.map(({ x }) => x);
  const slot = plot.names === undefined ? leastGap(places) : 1;
  const bars = kind === 'bars' ? { slot } : {};
  if (plot.names !== undefined) {
    return { x: { min: -0.5, max: plot.names.length - 0.5, ticks: [] }, y, ...bars };
  }
  const isTime = plot.x.unit === 'ns';
  return { x: kind === 'bars' ? barAxis(places, slot, isTime) : roundAxis(places, isTime), y, ...bars };
}

/** One where all places are the same. */
function leastGap(places: readonly number[]): number {
  const gaps = places.map((x, at) => x - (places[at - 1] ?? x)).filter((gap) => gap > 0);
  const least = gaps.reduce((one, other) => Math.min(one, other), Infinity);
  return Number.isFinite(least) ? least : 1;
}

const MARKS = 5;
/** `niceStep` knows whole numbers. */
const FINENESS = 1e9;

/** Both ends are round, which are also round times. */
function roundAxis(values: readonly number[], isTime: boolean): ResultAxis {
  const [low, high] = endsOf(values);
  const step = stepOf(high - low, isTime);
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  return { min: first * step, max: last * step, ticks: multiples(step, first, last) };
}

/** From half a slot before the first bar to half a slot after the last one. */
function barAxis(places: readonly number[], slot: number, isTime: boolean): ResultAxis {
  const [low, high] = endsOf(places);
  const step = stepOf(high - low, isTime);
  return {
    min: low - slot / 2,
    max: high + slot / 2,
    ticks: multiples(step, Math.ceil(low / step), Math.floor(high / step)),
  };
}

const multiples = (step: number, first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);

function endsOf(values: readonly number[]): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return low > high ? [0, 0] : [low, high];
}

/** No part of a nanosecond is a time that anything has. */
function stepOf(length: number, isTime: boolean): number {
  const wanted = length / MARKS;
  if (wanted >= 1 || isTime) return niceStep(wanted);
  return length === 0 ? 1 : niceStep(wanted * FINENESS) / FINENESS;
}
