import type { Palette } from '../../lib/palette';
import type { LaneInks } from './painter';

/** The inks of lanes in a palette. */
export function laneInks({ onSlice, text, ground, loss, line }: Palette): LaneInks {
  return { onItem: onSlice, onGround: text, ground, loss, line };
}
