import type { DistributionPlot, PlotAxis } from './distribution';

/** Pixels of the plot, without its margins. */
export interface PlotSize {
  readonly width: number;
  readonly height: number;
}

/** Before the plot is measured, and of pictures. */
export const USUAL_SIZE: PlotSize = { width: 1_000, height: 200 };

const LETTER_PX = 7;
const LINE_PX = 16;
const GAP_PX = 14;

/** Whether the name of a curve that is named at `at` ends there; it begins there else. */
export const reachesLeft = (at: number, { min, max }: PlotAxis): boolean => at > (min + max) / 2;

interface NameBox {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

/** Lines up or down, the nearest first, in which a name is still seen to belong to its curve. */
const LINES = [0, 1, -1, 2, -2] as const;

/** How far a name goes from where it would be, in pixels. */
export interface Move {
  readonly dx: number;
  readonly dy: number;
}

/** How far each curve's name moves so that it does not lie over those before it: by lines, else towards the middle. */
export function movesOfNames({ curves, x, y }: DistributionPlot, size: PlotSize): readonly Move[] {
  const placed: NameBox[] = [];
  return curves.map(({ named, label }) => {
    if (named === undefined) return { dx: 0, dy: 0 };
    // Whole pixels: a name that was moved just beside another one must not count as under it.
    const anchor = Math.round((size.width * (named[0] - x.min)) / (x.max - x.min));
    const height = Math.round((size.height * (named[1] - y.min)) / (y.max - y.min));
    const length = label.length * LETTER_PX;
    const isLeft = reachesLeft(named[0], x);
    const start = isLeft ? anchor - length : anchor;
    const underAt = (left: number, at: number) => (box: NameBox) =>
      Math.abs(box.y - at) < LINE_PX && box.left - GAP_PX < left + length && left < box.right + GAP_PX;
    const isFree = (at: number) => at >= 0 && at <= size.height && !placed.some(underAt(start, at));
    const lines = LINES.find((line) => isFree(height + line * LINE_PX));
    const at = height + (lines ?? 0) * LINE_PX;
    let left = start;
    for (
      let other = placed.find(underAt(left, at));
      other !== undefined;
      other = placed.find(underAt(left, at))
    ) {
      left = isLeft ? other.left - GAP_PX - length : other.right + GAP_PX;
    }
    placed.push({ left, right: left + length, y: at });
    return { dx: left - start, dy: height - at };
  });
}
