import type { Trend, TrendPoint } from '../../api/trend';
import { stepByKey } from '../../components/chart/stepByKey';
import { durationAxis, place, type DurationAxis, type Scale } from '../../components/series/durationAxis';
import { measureOf, type Measure } from '../../lib/measure';
import type { TrendStat } from '../../viewState/trend';

/** The run at an index, and what is drawn of it. */
export interface TrendLine {
  readonly stat: TrendStat;
  /** Placed on the axis, one for each point. */
  readonly placed: readonly number[];
}

/** A stretch of runs without a change, and the median of their numbers. */
export interface TrendLevel {
  readonly from: number;
  readonly to: number;
  readonly value_ns: number;
  readonly placed: number;
}

/** A baseline's number, and the interval in which it lies at 95 %, where that is known. */
export interface TrendBand {
  readonly name: string;
  readonly value_ns: number;
  readonly interval: readonly [number, number] | null;
}

export interface TrendPlot {
  readonly points: readonly TrendPoint[];
  readonly measure: Measure;
  readonly axis: DurationAxis;
  /** The number that is followed, and then the others that show what else moved. */
  readonly lines: readonly TrendLine[];
  /** Placed ends of the baseline's band; equal where it has no interval. */
  readonly band: { readonly name: string; readonly low: number; readonly high: number } | undefined;
  /** None where nothing changed. */
  readonly levels: readonly TrendLevel[];
  /** The first run of each new level. */
  readonly changes: readonly number[];
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
}

/** What each number is called on the page. */
export const STAT_NAMES: Readonly<Record<TrendStat, string>> = {
  p50_ns: 'median',
  p90_ns: 'p90',
  p99_ns: 'p99',
  p99_9_ns: 'p99.9',
  p99_99_ns: 'p99.99',
  max_ns: 'max',
  mean_ns: 'mean',
};

/** In grey behind the number that is followed. */
const OTHERS: readonly TrendStat[] = ['p50_ns', 'p99_ns', 'p99_9_ns', 'max_ns'];

const MOST_LEVELS = 8;

/** One number of all runs, side by side in their order. */
export function trendPlot(trend: Trend, stat: TrendStat, scale: Scale, band?: TrendBand): TrendPlot {
  const { points } = trend;
  const measure = measureOf(trend.unit);
  // Where the axis begins at zero, the maxima would press everything else to the ground.
  const others = scale === 'log' ? OTHERS.filter((other) => other !== stat) : [];
  const stats = [stat, ...others];
  const [lowest, highest] = band?.interval ?? [band?.value_ns, band?.value_ns];
  const values = stats.flatMap((one) => points.map((point) => point[one]));
  if (lowest !== undefined && highest !== undefined) values.push(lowest, highest);
  const [low, high] = values.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Infinity, 1],
  );
  return {
    points,
    measure,
    axis: durationAxis(Math.min(low, high), high, scale, MOST_LEVELS, measure),
    lines: stats.map((one) => ({ stat: one, placed: points.map((point) => place(point[one], scale)) })),
    band:
      band && lowest !== undefined && highest !== undefined
        ? { name: band.name, low: place(lowest, scale), high: place(highest, scale) }
        : undefined,
    levels: levelsOf(trend, scale),
    changes: trend.changes.map(({ index }) => index),
    ticks: ticksOf(points),
  };
}

function levelsOf({ changes, points }: Trend, scale: Scale): readonly TrendLevel[] {
  const starts = [0, ...changes.map(({ index }) => index)];
  const last = changes.at(-1);
  if (last === undefined) return [];
  const values = [...changes.map(({ before_ns }) => before_ns), last.after_ns];
  return values.map((value_ns, at) => ({
    from: starts[at] ?? 0,
    to: (starts[at + 1] ?? points.length) - 1,
    value_ns,
    placed: place(value_ns, scale),
  }));
}

/**
 * Where the value on the axis changes: a day or a version is named once. Runs that were all uploaded on one day are
 * named themselves, and of names only what tells them apart.
 */
function ticksOf(points: readonly TrendPoint[]): TrendPlot['ticks'] {
  const places = points.every(({ x }) => x === points[0]?.x)
    ? points.map(({ name }) => name)
    : points.map(({ x }) => x);
  const start = sharedStart(places);
  const end = sharedEnd(places.map((text) => text.slice(start)));
  return places.flatMap((text, at) =>
    at > 0 && places[at - 1] === text ? [] : [{ at, label: text.slice(start, text.length - end) }],
  );
}

/** How many letters all texts begin with, up to a whole word of them: `nightly-` of `nightly-01` and `nightly-02`. */
function sharedStart(texts: readonly string[]): number {
  const [first = '', ...others] = texts;
  if (others.every((text) => text === first)) return 0;
  const length = others.reduce((least, text) => {
    let end = 0;
    while (end < least && text[end] === first[end]) end += 1;
    return end;
  }, first.length);
  return /^.*[-_ ]/.exec(first.slice(0, length))?.[0].length ?? 0;
}

/** What all texts end with, from a word on: `.cyclictest` of `before.cyclictest` and `after.cyclictest`; versions keep all their parts. */
function sharedEnd(texts: readonly string[]): number {
  const [first = '', ...others] = texts;
  if (others.every((text) => text === first)) return 0;
  const length = others.reduce((least, text) => {
    let end = 0;
    while (end < least && text.at(-1 - end) === first.at(-1 - end)) end += 1;
    return end;
  }, first.length);
  return /[-_. ][a-z].*$/i.exec(first.slice(first.length - length))?.[0].length ?? 0;
}

/** Pixels around the plot, for the labels of its axes and the names of its lines. */
export const MARGIN = { left: 72, right: 56, top: 24, bottom: 32 } as const;

const PX_PER_LETTER = 7;
const GAP_PX = 16;
/** A name of fewer letters no longer says which run it is. */
const FEWEST_LETTERS = 12;
/** Of names that have no room side by side in any length, some are left out, and the others are this long. */
const USUAL_LETTERS = 18;

/** A long name without its middle: runs differ in their numbers, which come first, or in what was changed, which comes last. */
function shortened(text: string, most: number): string {
  const half = Math.floor(most / 2);
  if (text.length <= most) return text;
  const [first, last] = [text.slice(0, half - 1), text.slice(-half)];
  // No part of a word before a whole one.
  const isCut = /[^-_. ]/.test(text.at(-half - 1) ?? '');
  const whole = isCut ? last.replace(/^[^-_. ]+(?=[-_. ])/, '') : last;
  return `${first.replace(/[-_. ]+$/, '')}…${whole.replace(/^[-_. ]+/, '')}`;
}

/** The ticks whose labels have room side by side: all of them, with names as long as the room allows, or else some. */
export function fittingTicks(ticks: TrendPlot['ticks'], count: number, width: number): TrendPlot['ticks'] {
  const longest = ticks.reduce((most, { label }) => Math.max(most, label.length), 0);
  const withNames = (most: number) => ticks.map(({ at, label }) => ({ at, label: shortened(label, most) }));
  for (let most = longest; most >= Math.min(longest, FEWEST_LETTERS); most -= 1) {
    const all = withNames(most);
    if (thinned(all, count, width).length === all.length) return all;
  }
  return thinned(withNames(USUAL_LETTERS), count, width);
}

/** Those of the ticks whose labels lie apart from each other, and inside the picture. */
function thinned(ticks: TrendPlot['ticks'], count: number, width: number): TrendPlot['ticks'] {
  const kept: TrendPlot['ticks'][number][] = [];
  let free: number = -MARGIN.left;
  for (const tick of ticks) {
    const center = ((tick.at + 0.5) / Math.max(1, count)) * width;
    const half = (tick.label.length * PX_PER_LETTER) / 2;
    if (center - half < free || center + half > width + MARGIN.right) continue;
    kept.push(tick);
    free = center + half + GAP_PX;
  }
  return kept;
}

/** The run under a pointer that is so many pixels right of the plot's left end; none without runs. */
export function runAt(count: number, width: number, x: number): number | undefined {
  if (count === 0) return undefined;
  return Math.max(0, Math.min(count - 1, Math.floor((x / Math.max(1, width)) * count)));
}

/** The run that a key leads to from another one, Page Up and Page Down to a change; nothing for keys that lead nowhere. */
export function runByKey(
  key: string,
  at: number | undefined,
  count: number,
  changes: readonly number[],
): number | undefined {
  if (count === 0) return undefined;
  if (key === 'PageDown') return changes.find((index) => index > (at ?? -1)) ?? count - 1;
  if (key === 'PageUp') return changes.findLast((index) => index < (at ?? -1)) ?? 0;
  return stepByKey(key, at, count);
}

/** The run that a check is shown of: the one at which the last level began, else the last one. */
export function checkedRun({ points, changes }: Pick<Trend, 'points' | 'changes'>): TrendPoint | undefined {
  return points[changes.at(-1)?.index ?? points.length - 1];
}
