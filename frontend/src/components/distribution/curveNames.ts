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

/** How far each curve's name goes aside, in pixels, so that it does not lie over those before it: towards the middle. */
export function asidesOfNames({ curves, x, y }: DistributionPlot, size: PlotSize): readonly number[] {
  const placed: NameBox[] = [];
  return curves.map(({ named, label }) => {
    if (named === undefined) return 0;
    // Whole pixels: a name that was moved just beside another one must not count as under it.
    const anchor = Math.round((size.width * (named[0] - x.min)) / (x.max - x.min));
    const height = Math.round((size.height * (named[1] - y.min)) / (y.max - y.min));
    const length = label.length * LETTER_PX;
    const isLeft = reachesLeft(named[0], x);
    let left = isLeft ? anchor - length : anchor;
    const under = (box: NameBox) =>
      Math.abs(box.y - height) < LINE_PX && box.left - GAP_PX < left + length && left < box.right + GAP_PX;
    for (let other = placed.find(under); other !== undefined; other = placed.find(under)) {
      left = isLeft ? other.left - GAP_PX - length : other.right + GAP_PX;
    }
    placed.push({ left, right: left + length, y: height });
    return left - (isLeft ? anchor - length : anchor);
  });
}
