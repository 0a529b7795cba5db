import { exactText, groupDigits, ns, secondsText, type DurationUnit } from '../../lib/ns';
import type { Clock } from '../../lib/clock';
import { spanOf, type TimeWindow } from './timeWindow';

export interface AxisTick {
  readonly value: number;
  readonly label: string;
}

export interface AxisTicks {
  readonly at: readonly AxisTick[];
  /** What every label is counted from, where labels would not fit otherwise: `2.160 118 s`. */
  readonly base?: string;
  /** What every label counts, where none says it. */
  readonly unit?: string;
}

/** Labels are at most this wide, so that they never touch. */
const LABEL_PX = 96;
const EDGE_PX = 20;
/** With fewer labels in sight, an axis does not say how long anything takes. */
const FEWEST_LABELS = 2;
const LETTER_PX = 7;
const GAP_PX = 12;
/** `1 s` */
const SHORTEST_LABEL_PX = 3 * LETTER_PX + GAP_PX;

interface Unit {
  readonly unit: DurationUnit;
  /** Nanoseconds. */
  readonly size: number;
}
const NANOSECONDS: Unit = { unit: 'ns', size: 1 };
const UNITS: readonly Unit[] = [
  { unit: 's', size: 1e9 },
  { unit: 'ms', size: 1e6 },
  { unit: 'µs', size: 1e3 },
];

/**
 * Round points of time in the window, for a plot of `width` pixels. Far into a trace and deep in a zoom a stamp
 * has more digits than room, so the common part goes to `base` and the labels count on from it: `+12.5 µs`.
 */
export function timeTicks(window: TimeWindow, width: number): AxisTicks {
  let step = tickStep(spanOf(window), width);
  let ticks = ticksEvery(step, window, width);
  // A narrow plot has its ticks as close together as the labels that it has allow.
  while (labelsOf(ticks).length < FEWEST_LABELS) {
    step = nextShorter(step);
    const roomPx = (width * step) / spanOf(window);
    // Before the plot is measured, there would be as many ticks as nanoseconds.
    if (step < 1 || roomPx < SHORTEST_LABEL_PX) break;
    const closer = ticksEvery(step, window, width);
    if (labelPx(closer) > roomPx) break;
    ticks = closer;
  }
  return ticks;
}

const labelsOf = ({ at }: AxisTicks) => at.map(({ label }) => label).filter((label) => label !== '');

const labelPx = (ticks: AxisTicks) =>
  Math.max(...labelsOf(ticks).map((label) => label.length * LETTER_PX)) + GAP_PX;

/** From 5 to 2, to 1, to a half. */
function nextShorter(step: number): number {
  const isFive = Math.round(step / 10 ** Math.floor(Math.log10(step))) === 5;
  return isFive ? (step * 2) / 5 : step / 2;
}

function ticksEvery(step: number, window: TimeWindow, width: number): AxisTicks {
  const { unit, size } =
    UNITS.find((candidate) => candidate.size <= Math.min(20 * step, window.end)) ?? NANOSECONDS;
  const base = window.end < size * 10_000 ? 0 : Math.floor(window.start / (size * 1000)) * size * 1000;
  const sign = base === 0 ? '' : '+';
  const at = labelled(step, window, width, (value) => sign + exactText(ns(value - base), unit));
  return base === 0 ? { at } : { at, base: secondsText(ns(base)) };
}

/** Every step in the window. A label is centred on its tick; at the edges, where half of it would be missing, it is empty. */
function labelled(
  step: number,
  window: TimeWindow,
  width: number,
  labelOf: (value: number) => string,
): AxisTick[] {
  const pxPerNs = Math.max(1, width) / spanOf(window);
  const at: AxisTick[] = [];
  for (let value = Math.ceil(window.start / step) * step; value < window.end; value += step) {
    const label = labelOf(value);
    const fromEdgePx = Math.min(value - window.start, window.end - value) * pxPerNs;
    const isCut = fromEdgePx < Math.max(EDGE_PX, (label.length * LETTER_PX) / 2);
    at.push({ value, label: isCut ? '' : label });
  }
  return at;
}

/** Round steps of a clock that counts, which are nothing else than numbers. */
function countTicks(window: TimeWindow, width: number): AxisTicks {
  return { at: labelled(tickStep(spanOf(window), width), window, width, groupDigits), unit: 'clock ticks' };
}

/** What the axis of a trace with this clock has. */
export const ticksOf = ({ isCounting }: Pick<Clock, 'isCounting'>) => (isCounting ? countTicks : timeTicks);

/** The smallest of 1, 2, 5 times a power of ten that keeps labels apart; whole nanoseconds. */
function tickStep(span: number, width: number): number {
  const wanted = Math.max(1, (span * LABEL_PX) / Math.max(1, width));
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= wanted) ?? 10;
  return Math.max(1, Math.round(step * power));
}

const SHARE_LABEL_PX = 80;

/** Ticks in per cent of `total`, for axes whose width is a share and not a time. */
export function shareTicks(total: number): (window: TimeWindow, width: number) => AxisTicks {
  return (window, width) => {
    const wanted = Math.max(1e-6, (100 * spanOf(window) * SHARE_LABEL_PX) / total / Math.max(1, width));
    const power = 10 ** Math.floor(Math.log10(wanted));
    const step = ([1, 2, 5, 10].find((factor) => factor * power >= wanted) ?? 10) * power;
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const margin = (spanOf(window) * EDGE_PX) / Math.max(1, width);
    const at = [];
    const last = Math.floor((100 * window.end) / total / step);
    for (let index = Math.ceil((100 * window.start) / total / step); index <= last; index += 1) {
      const value = (index * step * total) / 100;
      const isCut = Math.min(value - window.start, window.end - value) < margin;
      at.push({ value, label: isCut ? '' : `${(index * step).toFixed(digits)}\u202f%` });
    }
    return { at };
  };
}
