import type { DistributionPlot, PlotAxis } from './distribution';

/** Pixels of the plot, without its margins. */
export interface PlotSize {
  readonly width: number;
  readonly height: number;
  /** Of all that it is drawn in; as wide as the plot where that is not said. */
  readonly boxWidth?: number;
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

/** All lines of a plot, the nearest first: a name far above its curve is still over the values of it. */
const linesWithin = (height: number): readonly number[] =>
  Array.from({ length: Math.ceil(height / LINE_PX) }, (_, line) => [line + 1, -line - 1]).flat();

/**
 * How far each curve's name moves so that it does not lie over those before it, nor over the text of a shelf: by lines,
 * to another place of its curve, by more lines, else towards the middle.
 */
export function movesOfNames(plot: DistributionPlot, size: PlotSize): readonly Move[] {
  const { curves, x, y } = plot;
  const placed = [...boxesOfMarks(plot, size)];
  return curves.map(({ named, alsoNamed, label }) => {
    if (named === undefined) return { dx: 0, dy: 0 };
    // Whole pixels: a name that was moved just beside another one must not count as under it.
    const length = label.length * LETTER_PX;
    const isLeft = reachesLeft(named[0], x);
    const boxAt = ([atX, atY]: readonly [number, number]) => ({
      start: Math.round((size.width * (atX - x.min)) / (x.max - x.min)) - (isLeft ? length : 0),
      height: Math.round((size.height * (atY - y.min)) / (y.max - y.min)),
    });
    const { start, height } = boxAt(named);
    const underAt = (left: number, at: number) => (box: NameBox) =>
      Math.abs(box.y - at) < LINE_PX && box.left - GAP_PX < left + length && left < box.right + GAP_PX;
    const isFree = (from: number, at: number) =>
      from >= 0 &&
      from + length <= size.width &&
      at >= 0 &&
      at <= size.height &&
      !placed.some(underAt(from, at));
    const freeAt = (box: { readonly start: number; readonly height: number }, lines: readonly number[]) => {
      const line = lines.find((one) => isFree(box.start, box.height + one * LINE_PX));
      return line === undefined ? undefined : { left: box.start, at: box.height + line * LINE_PX };
    };
    const free =
      [named, ...alsoNamed].map((one) => freeAt(boxAt(one), LINES)).find((box) => box !== undefined) ??
      freeAt({ start, height }, linesWithin(size.height));
    const at = free?.at ?? height;
    let left = free?.left ?? start;
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
