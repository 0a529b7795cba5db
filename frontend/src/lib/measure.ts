import { durationText, exactNs, exactText, groupDigits, ns, unitOf } from './ns';

/** How the values of a series are said: lengths of time, or bare numbers that events hold. */
export interface Measure {
  readonly isTime: boolean;
  /** What one of them is called. */
  readonly name: string;
  /** What the one is called that exceeds all others. */
  readonly largest: string;
  /** As people say it. */
  readonly text: (value: number) => string;
  /** With every digit. */
  readonly exact: (value: number) => string;
  /** A round one at an axis, without trailing zeros. */
  readonly tick: (value: number) => string;
  /** The head of a column of plain numbers. */
  readonly title: (what: string) => string;
}

const DURATIONS: Measure = {
  isTime: true,
  name: 'duration',
  largest: 'longest',
  text: (value) => durationText(ns(value)),
  exact: (value) => exactNs(ns(value)),
  tick: tickText,
  title: (what) => `${what} (ns)`,
};

const NUMBERS: Measure = {
  isTime: false,
  name: 'value',
  largest: 'largest',
  text: groupDigits,
  exact: groupDigits,
  tick: (value) => groupDigits(Math.round(value)),
  title: (what) => what,
};

/** The measure of what an answer says its values to be. */
export function measureOf(unit = 'ns'): Measure {
  return unit === 'none' ? NUMBERS : DURATIONS;
}

/** The measure of one case: lengths of time, but for bare numbers of events. */
export function measureOfCase({ unit }: { readonly duration_ns: number; readonly unit?: string }): Measure {
  return measureOf(unit);
}

function tickText(durationNs: number): string {
  if (durationNs === 0) return '0';
  const value = ns(Math.round(durationNs));
  const unit = unitOf(value);
  return exactText(value, unit);
}
