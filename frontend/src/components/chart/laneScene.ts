/**
 * What a lane chart draws, as columns: rows of intervals along a common horizontal axis. A scene is built once
 * per answer of the server; panning and zooming only change the viewport that it is painted through.
 */
export interface LaneItems {
  /** Ascending; the items of one row do not overlap. */
  readonly start: readonly number[];
  readonly duration: readonly number[];
  /** Index into the scene's fills; `undefined` leaves the item empty, but it can still be hit. */
  readonly fill: readonly (number | undefined)[];
  /** Height as a share of the row, 0..1, for buckets. Absent: full height. */
  readonly level?: readonly number[];
  /** Index into the scene's texts, written where it fits. */
  readonly text?: readonly (number | undefined)[];
  /** How each item wears its colour. Absent: filled, or hatched where the row is. */
  readonly look?: readonly ItemLook[];
  /** Pixels of a bar inside the item, a second channel beside colour: at its foot, or where negative at its top. */
  readonly bar?: readonly number[];
}

/** `faint`: filled in a colour so near the ground that it takes the ground's ink. */
export type ItemLook = 'filled' | 'faint' | 'hatched' | 'outlined';

/** A step function drawn as an area: `value[i]` holds from `at[i]` until `at[i + 1]`. */
export interface LaneSteps {
  readonly at: readonly number[];
  readonly value: readonly number[];
  /** The values at the foot and at the top of the row, and what they are called. */
  readonly min: number;
  readonly max: number;
  readonly minText: string;
  readonly maxText: string;
  /** Indices into the scene's fills: under the line, and the line. */
  readonly fill: number;
  readonly line: number;
}

export interface LaneRow {
  readonly id: string;
  /** Name of the block that the row belongs to (`CPU 1`), given on its first row only. */
  readonly group?: string;
  readonly label: string;
  readonly height: number;
  readonly items: LaneItems;
  /** Pixels between the lines of a hatching, for rows whose items are hatched and not filled. */
  readonly hatchPx?: number;
  readonly steps?: LaneSteps;
}

/** Stretches in which the trace proves nothing, and marks across several rows. */
export interface LaneBand {
  readonly start: number;
  readonly end: number;
  readonly firstRow: number;
  readonly lastRow: number;
  readonly kind: 'loss';
}

export interface LaneScene {
  /** Changes whenever anything below does. */
  readonly id: string;
  readonly rows: readonly LaneRow[];
  /** Top of every row in pixels from the first one, with the whole height at the end. */
  readonly tops: readonly number[];
  readonly fills: readonly string[];
  readonly texts: readonly string[];
  readonly bands: readonly LaneBand[];
  /** Whether rows whose items are too many and too narrow are as high as they were busy; a flame chart's stay whole. */
  readonly showsShares: boolean;
}

export interface SceneParts {
  readonly rows: readonly LaneRow[];
  readonly fills: readonly string[];
  readonly texts: readonly string[];
  readonly bands?: readonly LaneBand[];
  /** Pixels between two blocks of rows. */
  readonly groupGap?: number;
  readonly showsShares?: boolean;
}

/** How an item is drawn. */
export function lookOf({ hatchPx, items }: LaneRow, item: number): ItemLook {
  return hatchPx === undefined ? (items.look?.[item] ?? 'filled') : 'hatched';
}

/** Whether an item is filled with its colour. */
export function isFilled(row: LaneRow, item: number): boolean {
  const look = lookOf(row, item);
  return look === 'filled' || look === 'faint';
}

let sceneCount = 0;

/** The scene of `rows` stacked downwards, under an id that no other scene of this page has. */
export function buildScene(parts: SceneParts): LaneScene {
  const { rows, fills, texts, bands = [], groupGap = 0, showsShares = false } = parts;
  const tops: number[] = [];
  let top = 0;
  rows.forEach((row, index) => {
    if (row.group !== undefined && index > 0) top += groupGap;
    tops.push(top);
    top += row.height;
  });
  tops.push(top);
  sceneCount += 1;
  return { id: `scene-${sceneCount}`, rows, tops, fills, texts, bands, showsShares };
}

/** The stretch of one item; nothing where there is no such item. */
export function itemStretch(
  scene: LaneScene,
  row: number | undefined,
  item: number | undefined,
): { start: number; end: number } | undefined {
  const items = scene.rows[row ?? -1]?.items;
  const start = items?.start[item ?? -1];
  const duration = items?.duration[item ?? -1];
  return start === undefined || duration === undefined ? undefined : { start, end: start + duration };
}

const LEAST_ROW_PX = 18;
export const MOST_ROW_PX = 64;

/** How high each of `count` rows is so that they fill `room` pixels, within what is still read as a lane. */
export function rowHeight(room: number, count: number, most = MOST_ROW_PX): number {
  return Math.max(LEAST_ROW_PX, Math.min(most, Math.floor(room / Math.max(1, count))));
}

/** On a wall, which is read from further away, rows that nothing else can fill the room for are higher. */
const WALL_PX = 1000;
export const mostRowPx = (room: number): number => (room < WALL_PX ? MOST_ROW_PX : 96);

/** The axis, above the first row. */
export const AXIS_HEIGHT_PX = 24;

export const sceneHeight = (scene: LaneScene): number => scene.tops[scene.rows.length] ?? 0;

/** Index of the row at `y` pixels from the first row's top, or `undefined` in a gap or past the end. */
export function rowAt(scene: LaneScene, y: number): number | undefined {
  if (y < 0) return undefined;
  const index = lastAtOrBefore(scene.tops, y, scene.rows.length);
  const row = scene.rows[index];
  return row !== undefined && y < (scene.tops[index] ?? 0) + row.height ? index : undefined;
}

/** Index of the last element that is `<= x` among the first `length`, or -1. `values` ascends. */
export function lastAtOrBefore(values: readonly number[], x: number, length = values.length): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? Infinity) <= x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Index of the item of `row` at `x`, else of the nearest one not further than `tolerance` away: an interrupt
 * of 300 ns is less than a pixel wide at most zooms, and it must still be possible to point at it.
 */
export function itemAt(row: LaneRow, x: number, tolerance: number): number | undefined {
  const { start, duration } = row.items;
  const before = lastAtOrBefore(start, x);
  const beforeStart = start[before];
  if (beforeStart !== undefined && x < beforeStart + (duration[before] ?? 0)) return before;
  const gapBefore = beforeStart === undefined ? Infinity : x - (beforeStart + (duration[before] ?? 0));
  const gapAfter = (start[before + 1] ?? Infinity) - x;
  if (Math.min(gapBefore, gapAfter) > tolerance) return undefined;
  return gapBefore <= gapAfter ? before : before + 1;
}

/** The columns of a lane that is summed up in cells. */
interface BusyCells {
  readonly duration_ns: readonly number[];
  readonly busy_ns?: readonly number[] | null;
}

/** How much of each cell was busy, 0..1. */
export function busyShares({ duration_ns, busy_ns }: BusyCells): readonly number[] {
  return duration_ns.map((duration, index) => (busy_ns?.[index] ?? 0) / Math.max(1, duration));
}

/** Texts by the order in which they were first seen: a scene names its colours and its labels by number. */
export class IndexedTexts {
  readonly all: string[] = [];
  readonly #indices = new Map<string, number>();

  indexOf(text: string): number {
    const known = this.#indices.get(text);
    if (known !== undefined) return known;
    this.#indices.set(text, this.all.length);
    this.all.push(text);
    return this.all.length - 1;
  }
}
