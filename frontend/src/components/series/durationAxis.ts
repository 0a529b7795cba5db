import type { Measure } from '../../lib/measure';

export type Scale = 'log' | 'linear';

/** An axis of durations whose chart is linear: values are placed on it by `place`, whatever the scale. */
export interface DurationAxis {
  readonly scale: Scale;
  /** Placed ends of the axis. */
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
}

/** Where a duration lies on an axis; on a logarithmic one nothing is shorter than a nanosecond. */
export function place(durationNs: number, scale: Scale): number {
  return scale === 'log' ? Math.log10(Math.max(1, durationNs)) : durationNs;
}

/** The duration at a place of the axis, in whole nanoseconds. */
export function durationAt(placed: number, scale: Scale): number {
  return Math.max(0, Math.round(scale === 'log' ? 10 ** placed : placed));
}

/**
 * An axis that holds both durations with a little room, with at most about `most` ticks at round durations. Bare
 * numbers that lie close together fill it: a loss of one unit of work in a hundred is what they are counted for.
 */
export function durationAxis(
  lowNs: number,
  highNs: number,
  scale: Scale,
  most: number,
  { tick, isTime }: Pick<Measure, 'tick' | 'isTime'>,
): DurationAxis {
  if (!isTime && lowNs > highNs / 2) return closeAxis(lowNs, highNs, most, { tick }, scale);
  const { min, max, at } = scale === 'log' ? logAxis(lowNs, highNs, most) : linearAxis(lowNs, highNs, most);
  return { scale, min, max, ticks: at.map((value) => ({ at: place(value, scale), label: tick(value) })) };
}

/** The ends of an axis, and the round durations that it is marked at. */
interface MarkedAxis {
  readonly min: number;
  readonly max: number;
  readonly at: readonly number[];
}

const ROOM = 0.08;

function logAxis(lowNs: number, highNs: number, most: number): MarkedAxis {
  const [low, high] = [place(Math.min(lowNs, highNs), 'log'), place(highNs, 'log')];
  // A range of less than half a decade would turn noise into mountains.
  const room = Math.max((high - low) * ROOM, (0.5 - (high - low)) / 2, 0.02);
  const [min, max] = [Math.max(0, low - room), high + room];
  return { min, max, at: logMarks(min, max, most) };
}

/**
 * Powers of ten; where they are too far apart also twos and fives, and what lies between where even these are but one or
 * two; where they are too many only every other.
 */
function logMarks(min: number, max: number, most: number): MarkedAxis['at'] {
  const decades = max - min;
  if (decades * 3 > most) {
    const every = Math.max(1, Math.ceil(decades / Math.max(1, most)));
    return marksOf(min, max, [1]).filter((mark) => Math.round(Math.log10(mark)) % every === 0);
  }
  const marks = marksOf(min, max, [1, 2, 5]);
  if (marks.length >= FEW) return marks;
  return FINER.map((factors) => marksOf(min, max, factors)).find(({ length }) => length <= most) ?? marks;
}

/** With fewer marks nobody sees that an axis is logarithmic. */
const FEW = 3;
const FINER = [
  [1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 2, 3, 5, 7],
] as const;

function marksOf(min: number, max: number, factors: readonly number[]): MarkedAxis['at'] {
  const marks: number[] = [];
  for (let power = Math.floor(min); power <= max; power += 1) {
    for (const factor of factors) {
      const value = factor * 10 ** power;
      const at = Math.log10(value);
      if (at >= min && at <= max) marks.push(value);
    }
  }
  return marks;
}

function linearAxis(lowNs: number, highNs: number, most: number): MarkedAxis {
  const max = Math.max(1, highNs * (1 + ROOM));
  // Only bare numbers are below zero.
  const min = Math.min(0, lowNs * (1 + ROOM));
  const step = niceStep((max - min) / Math.max(1, most));
  const at = [];
  for (let value = Math.ceil(min / step) * step; value <= max; value += step) at.push(value);
  return { min, max, at };
}

/** An axis of values that lie so close together that from zero on, or over a decade, nothing could be told apart. */
export function closeAxis(
  lowNs: number,
  highNs: number,
  most: number,
  { tick }: Pick<Measure, 'tick'>,
  scale: Scale = 'linear',
): DurationAxis {
  const room = Math.max(1, (highNs - lowNs) * ROOM);
  const [min, max] = [lowNs - room, highNs + room];
  const step = niceStep((max - min) / Math.max(1, most));
  const ticks = [];
  for (let value = Math.ceil(min / step) * step; value <= max; value += step) {
    ticks.push({ at: place(value, scale), label: tick(value) });
  }
  return { scale, min: place(min, scale), max: place(max, scale), ticks };
}

/** The axis from one round value to another, marked at both: where there is room for no more, they are its scale. */
export function axisOfEnds({ scale, min, max }: DurationAxis, { tick }: Pick<Measure, 'tick'>): DurationAxis {
  const ends = scale === 'log' ? logEnds(min, max) : linearEnds(min, max);
  const ticks = ends.map((value) => ({ at: place(value, scale), label: tick(value) }));
  return { scale, min: ticks[0]?.at ?? min, max: ticks[1]?.at ?? max, ticks };
}

/** One, two or five times a power of ten, at or beyond each end. */
function logEnds(min: number, max: number): readonly [number, number] {
  const marks = marksOf(Math.max(0, Math.floor(min)), Math.ceil(max), [1, 2, 5]);
  const low = marks.findLast((mark) => Math.log10(mark) <= min);
  const high = marks.find((mark) => Math.log10(mark) >= max);
  return [low ?? 1, high ?? 10 ** Math.ceil(max)];
}

const STEPS_BETWEEN_ENDS = 10;

function linearEnds(min: number, max: number): readonly [number, number] {
  const step = niceStep((max - min) / STEPS_BETWEEN_ENDS);
  return [Math.floor(min / step) * step, Math.ceil(max / step) * step];
}

/** The smallest of 1, 2, 5 times a power of ten that is at least `wanted`; whole nanoseconds. */
export function niceStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, wanted)));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= wanted) ?? 10;
  return factor * power;
}
