/** Integer nanoseconds: an instant counted from the trace's first record, or a length of time. */
export type Ns = number & { readonly __unit: 'ns' };

export type DurationUnit = 'ns' | 'µs' | 'ms' | 's';

/** A number as people say it and its unit, apart, because the page sets the unit in a lighter grey. */
export interface SpokenDuration {
  readonly value: string;
  readonly unit: DurationUnit;
}

const NS_PER: Record<DurationUnit, number> = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9 };
const DIGITS: Record<DurationUnit, number> = { ns: 0, µs: 3, ms: 6, s: 9 };

/**
 * The given integer as nanoseconds.
 * Throws a RangeError for a fraction, which no time of the server is. Beyond 2^53, 104 days, it is the nearest number that
 * there is: only a broken stamp leads there, and one such file must not take the list of all traces with it.
 */
export function ns(value: number): Ns {
  if (!Number.isInteger(value)) throw new RangeError(`${value} is not a whole number of nanoseconds`);
  return value as Ns; // the one place where a plain number becomes nanoseconds
}

/** The unit that keeps the number before the decimal point between 1 and 999, seconds at most. */
export function unitOf(duration: Ns): DurationUnit {
  const size = Math.abs(duration);
  if (size < 1e3) return 'ns';
  if (size < 1e6) return 'µs';
  return size < 1e9 ? 'ms' : 's';
}

/**
 * The duration in the unit people say: microseconds to four significant digits, longer times with three decimals, as the
 * sentences beside it have them: `9.551 µs`, `18.55 µs`, `13.486 ms`.
 * Rounds half away from zero in integer arithmetic, with a minus before what is negative; `exactNs` has the number itself.
 */
export function formatDuration(duration: Ns): SpokenDuration {
  const unit = unitOf(duration);
  const whole = Math.floor(Math.abs(duration) / NS_PER[unit]);
  const digits = unit === 'µs' ? 4 - whole.toString().length : 3;
  const rounded = roundTo(duration, unit, Math.min(digits, DIGITS[unit]));
  // 999.96 µs would round up to 1000.0 µs.
  if (unit !== 's' && Math.abs(rounded.ns) >= NS_PER[unit] * 1000) {
    return formatDuration(ns(Math.sign(duration) * NS_PER[unit] * 1000));
  }
  return { value: rounded.text, unit };
}

/** `formatDuration` as one string with a narrow no-break space before the unit. */
export function durationText(duration: Ns): string {
  const { value, unit } = formatDuration(duration);
  return `${value}\u202f${unit}`;
}

/** Every digit, grouped: `6,352,118 ns`. For hovering and copying. */
export function exactNs(duration: Ns): string {
  return `${groupDigits(duration)}\u202fns`;
}

/**
 * The duration in the given unit with every digit that it has and no trailing zeros: 1,234,567 ns in ms is `1.234567`.
 * Never passes through a fraction, so it parses back to the same nanosecond; with the hyphen that programs know for a
 * minus, because files and fields have it, too.
 */
export function exactIn(duration: Ns, unit: DurationUnit): string {
  const size = Math.abs(duration);
  const whole = Math.floor(size / NS_PER[unit]);
  const rest = (size % NS_PER[unit]).toString().padStart(DIGITS[unit], '0').replace(/0+$/, '');
  const sign = duration < 0 ? '-' : '';
  return sign + whole.toString() + (DIGITS[unit] > 0 && rest !== '' ? `.${rest}` : '');
}

/** `exactIn` as it is read: with a minus before what is negative, and the unit behind it. */
export function exactText(duration: Ns, unit: DurationUnit): string {
  return `${readable(exactIn(duration, unit))}\u202f${unit}`;
}

/** A number with a minus in place of the hyphen that programs know. */
export const readable = (number: string): string => number.replace(/^-/, '−');

/** What the labels of an axis count from, with the digits that it has: `2.2 s`. */
export const secondsText = (instant: Ns): string => exactText(instant, 's');

/**
 * An instant in seconds with all nine decimals, as stamps have them: `2.200000000`. So points are below each other in a
 * column, two instants are compared digit by digit, and one is found wherever else it is written. With the hyphen that
 * programs know for a minus, because files have it, too.
 */
export function columnSeconds(instant: Ns): string {
  const size = Math.abs(instant);
  const rest = (size % NS_PER.s).toString().padStart(DIGITS.s, '0');
  return `${instant < 0 ? '-' : ''}${Math.floor(size / NS_PER.s)}.${rest}`;
}

/** The same as it is read: `2.200000000 s`. */
export const fixedSeconds = (instant: Ns): string => `${readable(columnSeconds(instant))}\u202fs`;

/** `2.160118018 to 2.200000000 s`. */
export const rangeText = (start: Ns, end: Ns): string =>
  `${readable(columnSeconds(start))} to ${fixedSeconds(end)}`;

/** Decimals in a column of one unit: to the nanosecond below a millisecond, from there to the microsecond. */
const COLUMN_DIGITS: Record<DurationUnit, number> = { ns: 0, µs: 3, ms: 3, s: 6 };

/** The duration without its unit, with the decimals of a column of that unit, whose points are below each other. */
export function columnText(duration: Ns, unit: DurationUnit): string {
  return roundTo(duration, unit, COLUMN_DIGITS[unit]).text;
}

/**
 * Nanoseconds from what a person types: `50us`, `50 µs`, `1.5ms`, `2s`, or a bare count of nanoseconds.
 * `undefined` for anything else, and for fractions of a nanosecond.
 */
export function parseDuration(text: string): Ns | undefined {
  const match = /^\s*([-−]?)(\d{1,16})(?:\.(\d{1,9}))?\s*(ns|us|µs|μs|ms|s)?\s*$/.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', spelled = 'ns'] = match;
  const unit: DurationUnit =
    spelled === 'us' || spelled === 'μs' || spelled === 'µs' ? 'µs' : (spelled as 'ns' | 'ms' | 's'); // the pattern allows no other
  const digits = fraction.replace(/0+$/, '');
  if (digits.length > DIGITS[unit]) return undefined;
  const value = Number(whole) * NS_PER[unit] + Number(digits.padEnd(DIGITS[unit], '0') || '0');
  return Number.isSafeInteger(value) ? ns(sign !== '' && value !== 0 ? -value : value) : undefined;
}

/** An integer with thousands separated by commas, the same on every machine, and a minus before what is negative. */
export function groupDigits(value: number): string {
  return readable(value.toString()).replace(/\B(?=(\d{3})+$)/g, ',');
}

function roundTo(duration: Ns, unit: DurationUnit, digits: number): { ns: number; text: string } {
  const step = NS_PER[unit] / 10 ** digits;
  const size = Math.abs(duration);
  const rounded = size - (size % step) + (size % step >= step / 2 ? step : 0);
  const whole = Math.floor(rounded / NS_PER[unit]);
  const decimals = Math.round((rounded % NS_PER[unit]) / step);
  const sign = duration < 0 ? '−' : '';
  const text =
    digits > 0 ? `${groupDigits(whole)}.${decimals.toString().padStart(digits, '0')}` : groupDigits(whole);
  return { ns: rounded, text: sign + text };
}

/** A count with what was counted: `1 row`, `1,024 rows`. */
export const countText = (count: number, one: string): string =>
  `${groupDigits(count)} ${one}${count === 1 ? '' : 's'}`;
