import type { Brush } from './brush';
import type { Box } from './hatch';
import type { Palette } from '../../lib/palette';

/** Where on the canvas a scene lies: the plot's box, and the two numbers that turn an x of the scene into pixels. */
export interface LaneView extends Box {
  /** The x of the scene at the plot's left edge. */
  readonly start: number;
  /** Pixels per unit of x. */
  readonly scale: number;
  /** Pixels of rows hidden above the plot. */
  readonly scroll: number;
}

/** Draws one layer of a scene. */
export type Painter = (brush: Brush, view: LaneView) => void;

export interface LaneInks {
  /** Text on top of an item. */
  readonly onItem: string;
  /** Text on top of a hatched item, and the plate under it that keeps it readable. */
  readonly onGround: string;
  readonly ground: string;
  readonly loss: string;
  readonly line: string;
}

/** Narrower items are drawn this wide: one that happened must leave a mark. */
export const MIN_WIDTH_PX = 1;
/** A bucket is at least this high, however little of it was busy. */
export const MIN_LEVEL_PX = 2;

/** The inks of lanes in a palette. */
export function laneInks({ onSlice, text, ground, loss, line }: Palette): LaneInks {
  return { onItem: onSlice, onGround: text, ground, loss, line };
}
