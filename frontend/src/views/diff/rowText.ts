import type { Sides } from '../../api/diff';
import { columnText, durationText, type DurationUnit, exactNs, groupDigits, ns, unitOf } from '../../lib/ns';
import type { DiffRow, RowSpread } from './diffTree';

/** A difference as people say it, always with its sign: `+10.06 µs`, `−391 ns`; nothing is `0 ns`. */
export function deltaText(deltaNs: number): string {
  const size = durationText(ns(Math.abs(deltaNs)));
  return deltaNs === 0 ? size : `${signOf(deltaNs)}${size}`;
}

/** The unit of a column: that of its largest number, because one reads down it. */
export function columnUnit(sizesNs: readonly (number | undefined)[]): DurationUnit {
  return unitOf(ns(sizesNs.reduce<number>((most, size = 0) => Math.max(most, Math.abs(size)), 0)));
}

/** A difference in a column of that unit, always with its sign. */
export function columnDeltaText(deltaNs: number, unit: DurationUnit): string {
  return `${deltaNs > 0 ? '+' : ''}${columnText(ns(deltaNs), unit)}`;
}

/** A side's whole time, `63.996 µs`: where both are below each other, in the unit of the longer one. */
export function totalText(totalNs: number, unit = columnUnit([totalNs])): string {
  return `${columnText(ns(totalNs), unit)}\u202f${unit}`;
}

/** Every digit of a difference, with its sign: `+10,056 ns`. */
export function exactDelta(deltaNs: number): string {
  return deltaNs === 0 ? exactNs(ns(0)) : `${signOf(deltaNs)}${exactNs(ns(Math.abs(deltaNs)))}`;
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
