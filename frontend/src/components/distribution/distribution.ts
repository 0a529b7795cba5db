import type { Bar, Spread } from '../../lib/spread';
import type { DistributionForm } from '../../viewState/trace';
import type { Measure } from '../../lib/measure';
import { closeAxis, durationAxis, place, type DurationAxis, type Scale } from '../series/durationAxis';

export interface PlotAxis {
  readonly title: string;
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
  /** Below this, values are cut off. */
  readonly cut?: number;
}

/** One group's line: places on both axes, in order of x. */
export interface Curve {
  readonly label: string;
  readonly points: readonly (readonly [number, number])[];
  /** The same as it is drawn: without what is drawn as dots. */
  readonly line: readonly (readonly [number, number])[];
  /** Bars of a single sample, which are drawn as dots: a block would look like many. */
  readonly dots: readonly (readonly [number, number])[];
  /** Where the name of the curve is drawn. */
  readonly named: readonly [number, number] | undefined;
  /** Where it may be drawn else, the better places first. */
  readonly alsoNamed: readonly (readonly [number, number])[];
  /** The task whose samples they are, for its colour. */
  readonly task: GroupTask | undefined;
}

/** A shelf of sorted samples: the part of the samples that lies on it, and their values. */
export interface Mark {
  /** Of the group whose shelf it is. */
  readonly group: string;
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly text: string;
}

export interface DistributionPlot {
  readonly form: DistributionForm;
  readonly measure: Measure;
  readonly curves: readonly Curve[];
  readonly x: PlotAxis;
  readonly y: PlotAxis;
  readonly xScale: Scale;
  readonly yScale: Scale;
  /** Samples of the largest group, for reading ranks. */
  readonly count: number;
  /** The longest of all, of which a stretch that reaches the end is. */
  readonly maxNs: number;
  /** The bars of all groups, in their order; none where curves are drawn. */
  readonly bars: readonly Omit<Bar, 'count'>[];
  /** Shelves in their places, with the index of their curve. */
  readonly marks: readonly (Omit<Mark, 'group' | 'value'> & { readonly y: number; readonly index: number })[];
}

/** More lines than this cannot be told apart; the table has all groups. */
export const MOST_CURVES = 8;

interface DistributionChoice {
  readonly form: DistributionForm;
  readonly scale: Scale;
  /** Whether the bars of the histogram are as wide as each other, and not parts of powers of two. */
  readonly hasEqualBars: boolean;
  readonly measure: Measure;
  readonly marks?: readonly Mark[];
}

/** The groups in the chosen form, those with the longest latencies first. */
export function distributionPlot(
  groups: readonly Spread[],
  { form, scale, hasEqualBars, measure, marks = [] }: DistributionChoice,
): DistributionPlot {
  const drawn = drawnGroups(groups);
  const count = drawn.reduce((most, group) => Math.max(most, group.count), 1);
  const high = drawn.reduce((most, { max_ns }) => Math.max(most, max_ns), 1);
  const low = drawn.reduce((least, { min_ns }) => Math.min(least, min_ns), high);
  const common = { form, count, measure, maxNs: high };
  if (form === 'histogram') {
    const xScale = hasEqualBars ? 'linear' : 'log';
    return {
      ...common,
      curves: drawn.map((group) => histogramCurve(group, drawn, xScale)),
      x: histogramAxis(drawn, xScale, measure),
      y: countAxis(drawn.flatMap(({ histogram }) => histogram)),
      xScale,
      yScale: 'log',
      bars: barsOf(drawn),
      marks: [],
    };
  }
  const isRank = form === 'shelves';
  return {
    ...common,
    curves: drawn.map((group) => curveOf(group, sortedPoints(group, scale, isRank))),
    x: isRank ? shareAxis(measure) : ninesAxis(count, measure),
    y:
      isRank && marks.length > 0
        ? shelfAxis(marks, low, high, measure)
        : { ...axisOf(low, high, scale, 6, measure), title: measure.axis },
    xScale: 'linear',
    yScale: scale,
    bars: [],
    marks: isRank ? placedMarks(marks, drawn, scale) : [],
  };
}

function barsOf(groups: readonly Spread[]): DistributionPlot['bars'] {
  const bars = groups.flatMap(({ histogram }) => histogram).filter(({ count }) => count > 0);
  const byLow = new Map(bars.map((bar) => [bar.low_ns, bar]));
  return [...byLow.values()].toSorted((one, other) => one.low_ns - other.low_ns);
}

/** Those of the groups that are drawn. */
function placedMarks(
  marks: readonly Mark[],
  drawn: readonly Spread[],
  scale: Scale,
): DistributionPlot['marks'] {
  const placed = marks.map(({ group, value, ...mark }) => ({
    ...mark,
    y: place(value, scale),
    index: drawn.findIndex((one) => labelOf(one) === group),
  }));
  return placed.filter(({ index }) => index !== -1);
}

/** The groups that have a line; in the order of the answer where there are few enough. */
export function drawnGroups<G extends Spread>(groups: readonly G[]): readonly G[] {
  if (groups.length <= MOST_CURVES) return groups;
  return groups.toSorted((a, b) => b.max_ns - a.max_ns).slice(0, MOST_CURVES);
}

/** Groups that can be drawn in this form: sorted samples need more than one, unless no group has more. */
export function drawableGroups<G extends Spread>(groups: readonly G[], form: DistributionForm): readonly G[] {
  const several = form === 'histogram' ? groups : groups.filter(({ count }) => count > 1);
  return several.length === 0 ? groups : several;
}

export const labelOf = ({ group }: Spread) => group?.label ?? 'all';

export interface GroupTask {
  readonly comm: string;
  readonly pid: number | undefined;
}

/** The task, or the name of tasks, that a group is of. */
export function taskOf({ group }: Pick<Spread, 'group'>): GroupTask | undefined {
  if (group?.name === 'comm') return { comm: group.label, pid: undefined };
  const [, comm, pid] = (group?.name === 'pid' && /^(.*)-(\d+)$/s.exec(group.label)) || [];
  return comm === undefined ? undefined : { comm, pid: Number(pid) };
}

const MOST_PLACES = 12;

/** Sorted samples end with the longest, where their curve has its name. */
const curveOf = (group: Spread, points: Curve['points']): Curve => ({
  label: labelOf(group),
  points,
  line: points,
  dots: [],
  named: points.at(-1),
  alsoNamed: [],
  task: taskOf(group),
});

/** Bars with their tops as a line, named where they rise most above those of the others. */
function histogramCurve(group: Spread, all: readonly Spread[], scale: Scale): Curve {
  const middle = ({ low_ns, high_ns }: Bar) => (place(low_ns, scale) + place(high_ns, scale)) / 2;
  const others = all.filter((other) => other !== group);
  const aboveOthers = ({ low_ns, count }: Bar) => {
    const counts = others.map(({ histogram }) => histogram.find((bin) => bin.low_ns === low_ns)?.count ?? 0);
    return placeCount(count) - placeCount(Math.max(0, ...counts));
  };
  // Where it has no samples, nothing of it is seen.
  const [named, ...alsoNamed] = group.histogram
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => aboveOthers(other) - aboveOthers(one))
    .slice(0, MOST_PLACES)
    .map((bar): [number, number] => [middle(bar), placeCount(bar.count)]);
  return {
    label: labelOf(group),
    points: histogramPoints(group.histogram, scale, false),
    line: histogramPoints(group.histogram, scale, true),
    dots: group.histogram.filter(({ count }) => count === 1).map((bin) => [middle(bin), placeCount(1)]),
    named,
    alsoNamed,
    task: taskOf(group),
  };
}

/** The left upper corner of every bar, from which its count holds; nothing where bars are apart. */
function histogramPoints(bins: readonly Bar[], scale: Scale, isSingleDotted: boolean): Curve['points'] {
  const points: [number, number][] = [];
  let reached: number | undefined;
  for (const { low_ns, high_ns, count } of bins) {
    const low = place(low_ns, scale);
    if (reached === undefined) points.push([low, 0]);
    else if (low > reached) points.push([reached, 0]);
    points.push([low, isSingleDotted && count === 1 ? 0 : placeCount(count)]);
    reached = place(high_ns, scale);
  }
  if (reached !== undefined) points.push([reached, 0]);
  return points;
}

/** Values that are never less than half of the largest are not drawn from zero on. */
function axisOf(low: number, high: number, scale: Scale, most: number, measure: Measure): DurationAxis {
  const isClose = scale === 'linear' && low > high / 2;
  return isClose ? closeAxis(low, high, most, measure) : durationAxis(low, high, scale, most, measure);
}

/** Few quanta lie far below all shelves, and would flatten them: they are cut off. */
function shelfAxis(marks: readonly Mark[], low: number, high: number, measure: Measure): PlotAxis {
  const values = marks.map(({ value }) => value);
  const cut = Math.floor(Math.min(...values) - Math.max(4, high - Math.min(...values)) / 2);
  const axis = { ...closeAxis(Math.max(low, cut), high, 6, measure), title: measure.axis };
  return low < cut ? { ...axis, cut } : axis;
}

function histogramAxis(groups: readonly Spread[], scale: Scale, measure: Measure): PlotAxis {
  const bins = groups.flatMap(({ histogram }) => histogram).filter(({ count }) => count > 0);
  const high = bins.reduce((most, { high_ns }) => Math.max(most, high_ns), 2);
  const low = bins.reduce(
    (least, { low_ns }) => Math.min(least, low_ns),
    scale === 'linear' ? high : high / 2,
  );
  const axis = { ...axisOf(low, high, scale, 8, measure), title: measure.axis };
  // Bars begin where the first one begins, and not a room later.
  return scale === 'linear' ? axis : { ...axis, min: place(low, scale), max: place(high, scale) };
}

/** Counts grow by factors, and one sample must still be seen beside a million: 0, 1, 10, 100 on equal steps. */
function placeCount(count: number): number {
  return Math.log10(1 + 9 * count);
}

/** The count at a place of the axis. */
export function countAt(placed: number): number {
  return Math.round((10 ** placed - 1) / 9);
}

function countAxis(bins: readonly Bar[]): PlotAxis {
  const most = bins.reduce((largest, { count }) => Math.max(largest, count), 1);
  const ticks = [{ at: 0, label: '0' }];
  for (let count = 1; count <= most * 2; count *= 10) {
    ticks.push({ at: placeCount(count), label: count.toString().replace(/\B(?=(\d{3})+$)/g, ',') });
  }
  return { title: 'samples', min: 0, max: placeCount(most) * 1.05, ticks };
}

/**
 * Sorted samples: against their rank as a share of all, or against the nines of the share that is shorter. A sample
 * that one in a thousand reaches or exceeds lies at three nines.
 */
function sortedPoints(group: Spread, scale: Scale, isRank: boolean): Curve['points'] {
  const { rank, duration_ns } = group.shelves;
  const n = Math.max(1, group.count);
  const thinned = rank.map((at, index): [number, number] => [at, duration_ns[index] ?? 0]);
  const samples = isRank ? thinned : [...thinned, ...exactPercentiles(group)].toSorted(byRankThenLength);
  const points = samples.map(([at, duration]): [number, number] => [
    isRank ? at / n : ninesOf(at, n),
    place(duration, scale),
  ]);
  // Each sample holds its share of the axis, the longest too: of a single one there would be nothing to see.
  const longest = points.at(-1);
  return isRank && longest ? [...points, [1, longest[1]]] : points;
}

const byRankThenLength = (a: readonly [number, number], b: readonly [number, number]) =>
  a[0] - b[0] || a[1] - b[1];

/** Thinning leaves few points in the tail, where the exact percentiles are what the curve is drawn for. */
function exactPercentiles(group: Spread): readonly [number, number][] {
  const exact: readonly [number, number][] = [
    [0.99, group.p99_ns],
    [0.999, group.p99_9_ns],
    [0.9999, group.p99_99_ns],
    [0.999_99, group.p99_999_ns],
  ];
  return exact.map(([share, duration]) => [nearestRank(share, group.count), duration]);
}

/** Rank from 0 of the nearest-rank percentile. The small step back undoes what binary fractions add. */
function nearestRank(share: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.ceil(share * count - 1e-9) - 1));
}

const ninesOf = (rank: number, count: number) => -Math.log10((count - rank) / count);

/** The share of samples that are shorter, at a place of the axis of nines: 3 is 0.999. */
export function shareAtNines(nines: number): number {
  return 1 - 10 ** -nines;
}

const shareBelow = ({ isTime }: Measure) => `share of the samples that are ${isTime ? 'shorter' : 'smaller'}`;

const NINES: readonly (readonly [number, string])[] = [
  [0, '0\u202f%'],
  [0.5, '50\u202f%'],
  [0.9, '90\u202f%'],
  [0.99, '99\u202f%'],
  [0.999, '99.9\u202f%'],
  [0.9999, '99.99\u202f%'],
  [0.999_99, '99.999\u202f%'],
];

function ninesAxis(count: number, measure: Measure): PlotAxis {
  // So many samples have so many nines; further right there is nothing that was measured.
  const max = Math.max(1, Math.log10(Math.max(1, count))) * 1.02;
  const ticks = NINES.map(([share, label]) => ({ at: -Math.log10(1 - share), label }));
  return { title: shareBelow(measure), min: 0, max, ticks: ticks.filter(({ at }) => at <= max) };
}

function shareAxis(measure: Measure): PlotAxis {
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].map((at) => ({ at, label: `${at * 100}\u202f%` }));
  return { title: shareBelow(measure), min: 0, max: 1, ticks };
}

/** What a curve says at a place of the x axis: the last point at or before it. */
export function readCurve(curve: Curve, x: number): number | undefined {
  let found: number | undefined;
  for (const [at, value] of curve.points) {
    if (at > x) break;
    found = value;
  }
  return found;
}
