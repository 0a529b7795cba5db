import { durationText, groupDigits, ns } from '../../lib/ns';

/** A difference as people say it, always with its sign: `+10.06 µs`, `−391 ns`; nothing is `0 ns`. */
export function deltaText(deltaNs: number): string {
  const size = durationText(ns(Math.abs(deltaNs)));
  return deltaNs === 0 ? size : `${signOf(deltaNs)}${size}`;
}

/** Microseconds with all three decimals and no unit, so that the points of a column stand below each other. */
export function exactUs(durationNs: number): string {
  const size = Math.abs(durationNs);
  const rest = (size % 1000).toString().padStart(3, '0');
  return `${durationNs < 0 ? '−' : ''}${groupDigits(Math.floor(size / 1000))}.${rest}`;
}

/** `exactUs` of a difference. */
export function exactDeltaUs(deltaNs: number): string {
  return deltaNs > 0 ? `+${exactUs(deltaNs)}` : exactUs(deltaNs);
}

const signOf = (deltaNs: number) => (deltaNs < 0 ? '−' : '+');
