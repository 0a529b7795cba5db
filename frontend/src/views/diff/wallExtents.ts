import type { SideName } from '../../api/diff';
import { lastAtOrBefore } from '../../components/chart/laneScene';
import type { DiffRow } from './diffTree';

/** A stretch of time, counted from the start of the root of its side. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/**
 * Where each row of a side lay in time. A comparison takes interrupts out of the calls that they hit, which then last
 * shorter than from their start to their end: here they get that time back.
 */
export function wallExtents(rows: readonly DiffRow[], side: SideName): ReadonlyMap<number, Extent> {
  const hits = interruptsOf(rows, side);
  const starts = hits.map(({ start }) => start);
  const extents = new Map<number, Extent>();
  for (const row of rows) {
    const own = row.sides[side];
    if (own === undefined) continue;
    const { start } = own;
    let end = start + own.ns;
    // The root's time is the whole of its side, interrupts included.
    if (!row.isInInterrupt && row.parent !== undefined) {
      for (let next = lastAtOrBefore(starts, start - 1) + 1; next < hits.length; next += 1) {
        const hit = hits[next];
        if (hit === undefined || hit.start >= end) break;
        end += hit.ns;
      }
    }
    extents.set(row.id, { start, end });
  }
  return extents;
}

/** The outermost interrupts of a side, in order of time. */
function interruptsOf(rows: readonly DiffRow[], side: SideName) {
  const inside = new Set(rows.filter(({ isInInterrupt }) => isInInterrupt).map(({ id }) => id));
  return rows
    .filter(({ id, parent }) => inside.has(id) && !inside.has(parent ?? -1))
    .flatMap((row) => row.sides[side] ?? [])
    .toSorted((one, other) => one.start - other.start);
}
