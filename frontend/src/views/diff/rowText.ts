import type { Sides } from '../../api/diff';
import { durationText, groupDigits, ns } from '../../lib/ns';
import type { DiffRow, RowSpread } from './diffTree';

/** A difference as people say it, always with its sign: `+10.06 µs`, `−391 ns`; nothing is `0 ns`. */
export function deltaText(deltaNs: number): string {
  const size = durationText(ns(Math.abs(deltaNs)));
  return deltaNs === 0 ? size : `${signOf(deltaNs)}${size}`;
}

/** Microseconds with all three decimals and no unit, so that the decimal points of a column are aligned. */
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

/** What there is to say about a row beside its numbers. */
export function rowWords(row: DiffRow): string | undefined {
  if (row.isAmbiguous) return AMBIGUOUS;
  return { added: ONLY_ABNORMAL, removed: ONLY_NORMAL, elided: ELIDED, matched: undefined }[row.status];
}

const ONLY_ABNORMAL = 'only in the abnormal run';
const ONLY_NORMAL = 'only in the normal run';
const ELIDED = 'elided (…) in the other recording, so not compared';
const AMBIGUOUS = 'a sibling would match equally well, so either may be the extra one';

/** `1 of 1 abnormal, 0 of 4,812 normal`. */
export function seenText({ abnormal, normal }: Sides<Seen>): string {
  return `${shareText(abnormal)} abnormal, ${shareText(normal)} normal`;
}

type Seen = Pick<RowSpread, 'seen' | 'of'>;

export const shareText = ({ seen, of }: Seen): string => `${groupDigits(seen)} of ${groupDigits(of)}`;

/** How far the abnormal value lies from the normal set's median, in median absolute deviations. */
export function distanceText(distance: number | undefined | null): string {
  if (distance === undefined || distance === null) return '';
  const size = Math.abs(distance);
  return `${distance < 0 ? '−' : ''}${size >= 100 ? groupDigits(Math.round(size)) : size.toFixed(1)}`;
}

export function distanceOf({ sides: { abnormal }, spreads }: DiffRow): number | undefined {
  const median = spreads?.normal.median;
  if (abnormal === undefined || median === undefined || median.madNs === 0) return undefined;
  return (abnormal.ns - median.ns) / median.madNs;
}

/** `×12 / ×11` of a folded run; nothing of a single call. */
export function foldedText({ sides: { abnormal, normal } }: DiffRow): string {
  const sides = [abnormal, normal];
  if (sides.every((side) => side === undefined || side.count === 1)) return '';
  return sides.map((side) => (side === undefined ? '–' : `×${groupDigits(side.count)}`)).join(' / ');
}
