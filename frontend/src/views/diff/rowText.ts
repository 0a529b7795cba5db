import type { Sides } from '../../api/diff';
import { clockOf, TIME, type Clock } from '../../lib/clock';
import { columnText, type DurationUnit, groupDigits, ns, unitOf } from '../../lib/ns';
import type { DiffRow, RowSpread } from './diffTree';

/** The unit of a column; steps of a clock that only counts are counted. */
export type ColumnUnit = DurationUnit | 'ticks';

/** A difference as people say it, always with its sign: `+10.06 µs`, `−391 ns`; nothing is `0 ns`. */
export function deltaText(deltaNs: number, clock = TIME): string {
  return signed(deltaNs, clock.duration);
}

/** The same where others around it say what is counted. */
export function briefDelta(deltaNs: number, clock: Clock): string {
  return signed(deltaNs, clock.brief);
}

function signed(deltaNs: number, text: Clock['duration']): string {
  const size = text(ns(Math.abs(deltaNs)));
  return deltaNs === 0 ? size : `${signOf(deltaNs)}${size}`;
}

/** The unit of a column: that of its largest number, because one reads down it. */
export function columnUnit(sizesNs: readonly (number | undefined)[], clock: Clock): ColumnUnit {
  if (clock.isCounting) return 'ticks';
  return unitOf(ns(sizesNs.reduce<number>((most, size = 0) => Math.max(most, Math.abs(size)), 0)));
}

/** A size in a column of that unit, without it. */
export const sizeText = (size: number, unit: ColumnUnit): string =>
  unit === 'ticks' ? groupDigits(size) : columnText(ns(size), unit);

/** A difference in a column of that unit, always with its sign. */
export function columnDeltaText(deltaNs: number, unit: ColumnUnit): string {
  return `${deltaNs > 0 ? '+' : ''}${sizeText(deltaNs, unit)}`;
}

/** A side's whole time, `63.996 µs`: where both are below each other, in the unit of the longer one. */
export function totalText(totalNs: number, unit: ColumnUnit): string {
  return unit === 'ticks' ? STEPS.duration(ns(totalNs)) : `${sizeText(totalNs, unit)}\u202f${unit}`;
}

const STEPS = clockOf('ticks');

/** Every digit of a difference, with its sign: `+10,056 ns`. */
export function exactDelta(deltaNs: number, clock = TIME): string {
  return signed(deltaNs, clock.exact);
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
