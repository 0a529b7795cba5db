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

/** Of narrower shelves, the texts would lie over each other; the table has them. */
const NAMED_SHARE = 0.1;

type ShelfMark = DistributionPlot['marks'][number];

/** Where a shelf has its text, if it has one. Texts of curves one over the other are beside each other. */
export function textOfMark({ from, to, index }: ShelfMark, curveCount: number) {
  const at = from + ((to - from) * (index + 1)) / (curveCount + 1);
  return { at, isShown: to - from > NAMED_SHARE, align: alignOf(at) };
}

/** Texts near an edge of the plot reach into it. */
const alignOf = (share: number) =>
  share > 0.85 ? ('right' as const) : share < 0.15 ? ('left' as const) : ('center' as const);

/** What of a text is left of its place. */
const LEFT_OF = { left: 0, center: 0.5, right: 1 } as const;

/** The texts of shelves hang under them, names stand on their curves: two half lines and two gaps lie between. */
const UNDER_PX = 24;

/** What names must not lie over: at each text of a shelf, the height of a name in its place. */
function boxesOfMarks({ curves, marks, x, y }: DistributionPlot, size: PlotSize): readonly NameBox[] {
  return marks.flatMap((mark) => {
    const { at, isShown, align } = textOfMark(mark, curves.length);
    if (!isShown) return [];
    const length = mark.text.length * LETTER_PX;
    const left = (size.width * (at - x.min)) / (x.max - x.min) - length * LEFT_OF[align];
    const height = (size.height * (mark.y - y.min)) / (y.max - y.min);
    return [{ left, right: left + length, y: height - UNDER_PX }];
  });
}

/**
 * How far each curve's name moves so that it does not lie over those before it, nor over the text of a shelf: by lines,
 * else towards the middle.
 */
export function movesOfNames(plot: DistributionPlot, size: PlotSize): readonly Move[] {
  const { curves, x, y } = plot;
  const placed = [...boxesOfMarks(plot, size)];
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
