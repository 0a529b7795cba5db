import type { SideName, Sides } from '../../api/diff';
import { TIME, type Clock } from '../../lib/clock';
import { ns } from '../../lib/ns';
import { hasMad } from '../../lib/mad';
import {
  columnDeltaText,
  columnUnit,
  distanceOf,
  distanceText,
  exactDelta,
  shareText,
  sizeText,
  type ColumnUnit,
} from './rowText';
import type { DiffRow } from './diffTree';

/** A column of numbers beside the names of the tree. */
export interface DiffColumn {
  readonly title: string;
  readonly hint?: string;
  /** How large the number is, so that the widest one is known without writing all of them. */
  readonly size: (row: DiffRow) => number | undefined;
  readonly text: (row: DiffRow) => string;
  /** The exact value, for the pointer. */
  readonly exact?: (row: DiffRow) => string | undefined;
  /** Orange or blue by the sign. */
  readonly isDelta?: boolean;
  /** Tables narrower than this, in pixels, leave it out. */
  readonly spareBelow?: 800 | 1000;
}

type Value = (row: DiffRow) => number | undefined;

/** What the numbers of a column are said in, and every digit of them. */
interface Scale {
  readonly unit: ColumnUnit;
  readonly clock: Clock;
}

const timeColumn = (title: string, { unit, clock }: Scale, value: Value): DiffColumn => ({
  title: `${title}, ${unit}`,
  size: value,
  text: (row) => textOr('–', value(row), (size) => sizeText(size, unit)),
  exact: (row) => exactOf(value(row), clock),
});

const deltaColumn = (title: string, { unit, clock }: Scale, value: (row: DiffRow) => number): DiffColumn => ({
  title: `${title}, ${unit}`,
  isDelta: true,
  size: value,
  text: (row) => columnDeltaText(value(row), unit),
  exact: (row) => exactDelta(value(row), clock),
});

/** The units of all columns: one for the times of both sides, which are compared, and one for their differences. */
function scalesOf(rows: readonly DiffRow[], clock: Clock): { readonly time: Scale; readonly delta: Scale } {
  const scaleOf = (sizesNs: readonly (number | undefined)[]) => ({ unit: fineUnit(sizesNs, clock), clock });
  return {
    time: scaleOf(rows.flatMap(({ sides }) => [sides.abnormal?.ns, sides.normal?.ns])),
    delta: scaleOf(rows.flatMap(({ deltaNs, selfDeltaNs }) => [deltaNs, selfDeltaNs])),
  };
}

const FINER: Partial<Record<ColumnUnit, ColumnUnit>> = { ms: 'µs', s: 'ms' };

/** The unit of the largest number, or the next smaller one where most numbers would lose digits in it. */
function fineUnit(sizesNs: readonly (number | undefined)[], clock: Clock): ColumnUnit {
  const unit = columnUnit(sizesNs, clock);
  const finer = FINER[unit];
  const sizes = sizesNs.filter((size) => size !== undefined && size !== 0);
  const smaller = sizes.filter((size) => columnUnit([size], clock) !== unit);
  return finer !== undefined && smaller.length * 2 > sizes.length ? finer : unit;
}

const seenColumn = (side: SideName, spareBelow?: 800): DiffColumn => ({
  title: `in ${side}`,
  hint: `In how many of the ${side} instances it occurs`,
  ...(spareBelow !== undefined && { spareBelow }),
  size: ({ spreads }) => spreads?.[side].seen,
  text: ({ spreads }) => (spreads ? shareText(spreads[side]) : ''),
});

const medianColumn = (
  side: SideName,
  { unit, clock }: Scale,
  title: string,
  spareBelow: 800 | 1000,
): DiffColumn => ({
  title,
  hint: `Median in ${unit} of the ${side} instances that have it`,
  spareBelow,
  size: ({ spreads }) => spreads?.[side].median?.ns,
  text: ({ spreads }) => textOr('', spreads?.[side].median?.ns, (size) => sizeText(size, unit)),
  exact: ({ spreads }) => {
    const { median, seen = 0 } = spreads?.[side] ?? {};
    const mad = median && hasMad(seen) ? `, spread (MAD) ${clock.exact(ns(median.madNs))}` : '';
    return median && clock.exact(ns(median.ns)) + mad;
  },
});

const DISTANCE: DiffColumn = {
  title: 'MADs away',
  hint: 'From the normal median, in median absolute deviations',
  size: distanceOf,
  text: (row) => distanceText(distanceOf(row)),
};

const SEEN_COLUMNS = [seenColumn('abnormal', 800), seenColumn('normal')];

/** The numbers of a pair; where a side is a whole set, also how usual each is there. */
export function diffColumns(
  { abnormal, normal }: Sides<boolean>,
  rows: readonly DiffRow[],
  clock = TIME,
): readonly DiffColumn[] {
  const { time, delta } = scalesOf(rows, clock);
  const normalMedian = abnormal
    ? medianColumn('normal', time, 'normal median', 1000)
    : medianColumn('normal', time, `median, ${time.unit}`, 800);
  return [
    timeColumn('abnormal', time, ({ sides }) => sides.abnormal?.ns),
    timeColumn('normal', time, ({ sides }) => sides.normal?.ns),
    deltaColumn('delta', delta, ({ deltaNs }) => deltaNs),
    { ...deltaColumn('self Δ', delta, ({ selfDeltaNs }) => selfDeltaNs), hint: SELF_HINT },
    ...(abnormal || normal ? SEEN_COLUMNS : []),
    ...(abnormal ? [medianColumn('abnormal', time, 'abnormal median', 1000)] : []),
    ...(normal ? [normalMedian, DISTANCE] : []),
  ];
}

const SELF_HINT = 'Excluding callees; all of them add up to the difference';

const NAME_WIDTH = 'minmax(180px, 1fr)';

/** Grid tracks as wide as the widest number of all rows: rows that scroll into sight must not move the columns. */
export function columnTracks(columns: readonly DiffColumn[], rows: readonly DiffRow[]): string {
  const widths = columns.map((column) => {
    const digits = Math.max(column.title.length * TITLE_DIGITS, digitsOf(widestText(column, rows)));
    return `calc(${digits.toFixed(1)}ch + 12px)`;
  });
  return [NAME_WIDTH, ...widths].join(' ');
}

/** A letter of a title, which is small, in digits of the rows. */
const TITLE_DIGITS = 0.82;

/** How many digits wide a text is; points, commas and spaces are narrow. */
function digitsOf(text: string): number {
  return text.length - (text.match(/[., ]/g)?.length ?? 0) / 2;
}

function widestText(column: DiffColumn, rows: readonly DiffRow[]): string {
  let widest: DiffRow | undefined;
  let [most, isSigned] = [-1, false];
  for (const row of rows) {
    const size = column.size(row);
    if (size === undefined) continue;
    isSigned ||= size < 0;
    if (Math.abs(size) > most) [most, widest] = [Math.abs(size), row];
  }
  const text = widest ? column.text(widest) : '';
  // A smaller number may have the sign that the largest one has not.
  return isSigned && !/^[+−]/.test(text) ? `−${text}` : text;
}

function textOr(absent: string, value: number | undefined, print: (value: number) => string): string {
  return value === undefined ? absent : print(value);
}

const exactOf = (value: number | undefined, clock: Clock) =>
  value === undefined ? undefined : clock.exact(ns(value));

/** What a cell looks like, by what is in it. */
export function lookOf(column: DiffColumn, row: DiffRow): 'none' | 'slower' | 'faster' | undefined {
  const size = column.size(row);
  if (size === undefined) return 'none';
  if (column.isDelta !== true) return undefined;
  // What is less than the column shows recedes like nothing.
  if (!/[1-9]/.test(column.text(row))) return 'none';
  return size > 0 ? 'slower' : 'faster';
}
