import { clockOf, TIME, type Clock } from './clock';
import { durationText, exactNs, exactText, groupDigits, ns, readable, unitOf } from './ns';

/** How the values of a series are said: lengths of time, in steps of the clock where these are no time, or bare numbers. */
export interface Measure {
  readonly isTime: boolean;
  /** Whether they are written and typed with a unit of time, such as `50 us`. */
  readonly hasUnits: boolean;
  /** What one of them is called. */
  readonly name: string;
  /** The title of their axis. */
  readonly axis: string;
  /** What the one is called that exceeds all others. */
  readonly largest: string;
  /** As people say it. */
  readonly text: (value: number) => string;
  /** The same where others around it say what is counted. */
  readonly brief: (value: number) => string;
  /** With every digit. */
  readonly exact: (value: number) => string;
  /** A round one at an axis, without trailing zeros. */
  readonly tick: (value: number) => string;
  /** The head of a column of plain numbers. */
  readonly title: (what: string) => string;
}

const DURATIONS: Measure = {
  isTime: true,
  hasUnits: true,
  name: 'duration',
  axis: 'duration',
  largest: 'longest',
  text: (value) => durationText(ns(value)),
  brief: (value) => durationText(ns(value)),
  exact: (value) => exactNs(ns(value)),
  tick: tickText,
  title: (what) => `${what} (ns)`,
};

const NUMBERS: Measure = {
  isTime: false,
  hasUnits: false,
  name: 'value',
  axis: 'value',
  largest: 'largest',
  text: groupDigits,
  brief: groupDigits,
  exact: groupDigits,
  tick: (value) => groupDigits(Math.round(value)),
  title: (what) => what,
};

const STEPS: Clock = clockOf('ticks');

const CLOCK_TICKS: Measure = {
  ...DURATIONS,
  hasUnits: false,
  axis: 'clock ticks',
  text: (value) => STEPS.duration(ns(value)),
  brief: groupDigits,
  exact: (value) => STEPS.exact(ns(value)),
  tick: countedText,
  title: (what) => `${what} (clock ticks)`,
};

/** The measure of what an answer says its values to be; lengths of time as the clock of their trace says them. */
export function measureOf(unit = 'ns', clock: Pick<Clock, 'isCounting'> = TIME): Measure {
  switch (unitOn(clock, unit)) {
    case 'ticks':
      return CLOCK_TICKS;
    case 'none':
      return NUMBERS;
    default:
      return DURATIONS;
  }
}

/** The unit of an answer about a trace with this clock: answers call the steps of one that counts nanoseconds, too. */
export const unitOn = ({ isCounting }: Pick<Clock, 'isCounting'>, unit = 'ns'): string =>
  isCounting && unit === 'ns' ? 'ticks' : unit;

/** The measure of one case: lengths of time, but for bare numbers of events. */
export function measureOfCase(
  { unit }: { readonly duration_ns: number; readonly unit?: string },
  clock = TIME,
): Measure {
  return measureOf(unit, clock);
}

function tickText(durationNs: number): string {
  if (durationNs === 0) return '0';
  const value = ns(Math.round(durationNs));
  const unit = unitOf(value);
  return exactText(value, unit);
}

const PREFIXES = [
  { size: 1e9, prefix: 'G' },
  { size: 1e6, prefix: 'M' },
  { size: 1e3, prefix: 'k' },
] as const;

/** `20 M`: an axis has no room for many digits. */
function countedText(count: number): string {
  const whole = Math.round(count);
  const scale = PREFIXES.find(({ size }) => Math.abs(whole) >= size);
  return scale === undefined
    ? groupDigits(whole)
    : `${readable((whole / scale.size).toString())}\u202f${scale.prefix}`;
}
