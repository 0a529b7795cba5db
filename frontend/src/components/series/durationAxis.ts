import { exactIn, ns, unitOf } from '../../lib/ns';

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

/** An axis that holds both durations with a little room, with at most about `most` ticks at round durations. */
export function durationAxis(lowNs: number, highNs: number, scale: Scale, most: number): DurationAxis {
  return scale === 'log' ? logAxis(lowNs, highNs, most) : linearAxis(highNs, most);
}

const ROOM = 0.08;

function logAxis(lowNs: number, highNs: number, most: number): DurationAxis {
  const [low, high] = [place(Math.min(lowNs, highNs), 'log'), place(highNs, 'log')];
  // A range of less than half a decade would turn noise into mountains.
  const room = Math.max((high - low) * ROOM, (0.5 - (high - low)) / 2, 0.02);
  const [min, max] = [Math.max(0, low - room), high + room];
  return { scale: 'log', min, max, ticks: logTicks(min, max, most) };
}

/** Powers of ten; where they are too far apart also twos and fives, where they are too many only every other. */
function logTicks(min: number, max: number, most: number): DurationAxis['ticks'] {
  const decades = max - min;
  const factors = decades * 3 <= most ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil(decades / Math.max(1, most)));
  const ticks: { at: number; label: string }[] = [];
  for (let power = Math.floor(min); power <= max; power += 1) {
    if (power % every !== 0) continue;
    for (const factor of factors) {
      const value = factor * 10 ** power;
      const at = Math.log10(value);
      if (at >= min && at <= max) ticks.push({ at, label: tickText(value) });
    }
  }
  return ticks;
}

function linearAxis(highNs: number, most: number): DurationAxis {
  const max = Math.max(1, highNs * (1 + ROOM));
  const step = niceStep(max / Math.max(1, most));
  const ticks = [];
  for (let value = 0; value <= max; value += step) ticks.push({ at: value, label: tickText(value) });
  return { scale: 'linear', min: 0, max, ticks };
}

/** The smallest of 1, 2, 5 times a power of ten that is at least `wanted`; whole nanoseconds. */
export function niceStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, wanted)));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= wanted) ?? 10;
  return factor * power;
}

/** A round duration without zeros behind the point: `20 µs`. */
export function tickText(durationNs: number): string {
  if (durationNs === 0) return '0';
  const value = ns(Math.round(durationNs));
  const unit = unitOf(value);
  return `${exactIn(value, unit)}\u202f${unit}`;
}
