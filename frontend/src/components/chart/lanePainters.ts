import type { Brush } from './brush';
import { LANE_FONT_SIZE } from './brush';
import { hatchLines, risingLines, type Box } from './hatch';
import type { LaneItems, LaneScene, LaneSteps } from './laneScene';

/** Where on the canvas a scene lies: the plot's box, and the two numbers that turn an x of the scene into pixels. */
export interface LaneView extends Box {
  /** The x of the scene at the plot's left edge. */
  readonly start: number;
  /** Pixels per unit of x. */
  readonly scale: number;
  /** Pixels of rows hidden above the plot. */
  readonly scroll: number;
}

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
const MIN_WIDTH_PX = 1;
/** A bucket is at least this high, however little of it was busy. */
const MIN_LEVEL_PX = 2;
/** From this width on, neighbours of one colour are kept apart by a sliver of ground. */
const SEPARATE_FROM_PX = 4;
const STEP_LINE_PX = 1.5;
const TEXT_PADDING_PX = 4;
// Monospaced faces are 0.6 em wide to within a hundredth; measuring each text would cost more than drawing it.
const CHARACTER_PX = LANE_FONT_SIZE * 0.602;
const FEWEST_CHARACTERS = 3;

/** One painter per colour, then the texts, hairlines and bands that lie on top. */
export function scenePainters(scene: LaneScene, inks: LaneInks): readonly Painter[] {
  return [
    rowLines(scene, inks.line),
    ...scene.fills
      .map((colour, fill) => rectangles(scene, fill, colour))
      .filter((painter) => painter !== undefined),
    hatches(scene),
    stepAreas(scene),
    texts(scene, inks),
    bands(scene, inks.loss),
  ];
}

/** Rectangles of one colour as columns, because a canvas is fastest when it need not change its colour. */
interface RectangleColumns {
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly top: Float32Array;
  readonly height: Float32Array;
}

function rectangles(scene: LaneScene, fill: number, colour: string): Painter | undefined {
  const columns = rectangleColumns(scene, fill);
  if (columns.from.length === 0) return undefined;
  return (brush, view) => {
    brush.colour(colour);
    const right = view.x + view.width;
    for (let i = 0; i < columns.from.length; i += 1) {
      const from = view.x + ((columns.from[i] ?? 0) - view.start) * view.scale;
      const to = view.x + ((columns.to[i] ?? 0) - view.start) * view.scale;
      const y = view.y + (columns.top[i] ?? 0) - view.scroll;
      const height = columns.height[i] ?? 0;
      if (to < view.x || from > right || y + height < view.y || y > view.y + view.height) continue;
      // Far outside the canvas, floating point in the rasterizer loses the edges that are inside.
      const left = Math.max(from, view.x - 2);
      const width = Math.min(to, right + 2) - left;
      brush.rect(left, y, width > SEPARATE_FROM_PX ? width - 0.75 : Math.max(width, MIN_WIDTH_PX), height);
    }
  };
}

function rectangleColumns(scene: LaneScene, fill: number): RectangleColumns {
  let count = 0;
  for (const { items, hatchPx } of scene.rows) {
    if (hatchPx === undefined) for (const used of items.fill) if (used === fill) count += 1;
  }
  const columns: RectangleColumns = {
    from: new Float64Array(count),
    to: new Float64Array(count),
    top: new Float32Array(count),
    height: new Float32Array(count),
  };
  let next = 0;
  scene.rows.forEach(({ items, height: rowHeight, hatchPx }, rowIndex) => {
    if (hatchPx !== undefined) return;
    // Rows of a minimap are too low to spare a pixel.
    const inset = rowHeight >= 8 ? 1 : 0;
    const top = (scene.tops[rowIndex] ?? 0) + inset;
    const room = rowHeight - 2 * inset;
    for (let i = 0; i < items.start.length; i += 1) {
      if (items.fill[i] !== fill) continue;
      const start = items.start[i] ?? 0;
      const height =
        items.level === undefined ? room : Math.max(MIN_LEVEL_PX, Math.min(1, items.level[i] ?? 0) * room);
      columns.from[next] = start;
      columns.to[next] = start + (items.duration[i] ?? 0);
      columns.top[next] = top + room - height;
      columns.height[next] = height;
      next += 1;
    }
  });
  return columns;
}

/** Items narrower than this have no room for a line of their hatching. */
const HATCHED_FROM_PX = 4;

/** Hatched items, with an edge around each so that two that follow each other stay two. */
function hatches(scene: LaneScene): Painter {
  return (brush, view) => {
    scene.rows.forEach(({ items, height, hatchPx }, rowIndex) => {
      const y = view.y + (scene.tops[rowIndex] ?? 0) + 1 - view.scroll;
      if (hatchPx === undefined || y + height < view.y || y > view.y + view.height) return;
      brush.colour(scene.fills[items.fill[0] ?? -1] ?? '');
      items.start.forEach((start, i) => {
        const from = Math.max(view.x - 2, view.x + (start - view.start) * view.scale);
        const end = view.x + (start + (items.duration[i] ?? 0) - view.start) * view.scale;
        const width = Math.max(MIN_WIDTH_PX, Math.min(end, view.x + view.width + 2) - from);
        if (end < view.x || from > view.x + view.width) return;
        const room = height - 2;
        const level = Math.max(MIN_LEVEL_PX, Math.min(1, items.level?.[i] ?? 1) * room);
        const box = { x: from, y: y + room - level, width, height: level };
        if (width < HATCHED_FROM_PX) return brush.rect(box.x, box.y, box.width, box.height);
        for (const [x, y0, across, down] of edgesOf(box)) brush.rect(x, y0, across, down);
        return brush.lines(risingLines(box, hatchPx));
      });
    });
  };
}

function edgesOf({ x, y, width, height }: Box): readonly (readonly [number, number, number, number])[] {
  return [
    [x, y, 1, height],
    [x + width - 1, y, 1, height],
    [x, y, width, 1],
    [x, y + height - 1, width, 1],
  ];
}

const PLATE_PX = 14;
/** So much of a hatched item stays hatched beside its name. */
const HATCH_SEEN_PX = 20;

function texts(scene: LaneScene, { onItem, onGround, ground }: LaneInks): Painter {
  return (brush, view) => {
    scene.rows.forEach(({ items, height, hatchPx }, rowIndex) => {
      const y = view.y + (scene.tops[rowIndex] ?? 0) + height / 2 - view.scroll;
      if (items.text === undefined || height < LANE_FONT_SIZE || y < view.y || y > view.y + view.height)
        return;
      const places = fittingTexts(scene, items, view, hatchPx === undefined ? 0 : HATCH_SEEN_PX);
      if (hatchPx !== undefined) {
        brush.colour(ground);
        for (const { x, text } of places) {
          const width = widthInCharacters(text) * CHARACTER_PX + TEXT_PADDING_PX;
          brush.rect(x - TEXT_PADDING_PX / 2, y - PLATE_PX / 2, width, PLATE_PX);
        }
      }
      brush.colour(hatchPx === undefined ? onItem : onGround);
      for (const { x, text } of places) brush.text(text, x, y + 0.5);
    });
  };
}

interface PlacedText {
  readonly x: number;
  readonly text: string;
}

/** What is written into the items of a row, as far as it fits beside what is kept free of what is in sight. */
function fittingTexts(
  scene: LaneScene,
  items: LaneItems,
  view: LaneView,
  keptFreePx: number,
): readonly PlacedText[] {
  const places: PlacedText[] = [];
  for (let i = 0; i < items.start.length; i += 1) {
    const start = items.start[i] ?? 0;
    const duration = items.duration[i] ?? 0;
    const text = items.text?.[i];
    if (duration * view.scale < FEWEST_CHARACTERS * CHARACTER_PX || text === undefined) continue;
    const from = Math.max(view.x, view.x + (start - view.start) * view.scale);
    const to = Math.min(view.x + view.width, view.x + (start + duration - view.start) * view.scale);
    const shown = fitText(scene.texts[text] ?? '', to - from - 2 * TEXT_PADDING_PX - keptFreePx);
    if (shown !== '') places.push({ x: from + TEXT_PADDING_PX, text: shown });
  }
  return places;
}

/** As much of `text` as is readable in `width` pixels, cut with an ellipsis; empty where that is too little. */
export function fitText(text: string, width: number): string {
  const room = Math.floor(width / CHARACTER_PX);
  const length = widthInCharacters(text);
  if (length <= room) return text;
  return room < FEWEST_CHARACTERS ? '' : `${text.slice(0, Math.max(1, room - 1 - (length - text.length)))}…`;
}

/** East Asian wide characters take two cells of a monospaced font. */
function widthInCharacters(text: string): number {
  let width = text.length;
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) >= 0x2e80) width += 1;
  return width;
}

function stepAreas(scene: LaneScene): Painter {
  return (brush, view) => {
    scene.rows.forEach((row, rowIndex) => {
      if (row.steps === undefined) return;
      const bottom = view.y + (scene.tops[rowIndex] ?? 0) + row.height - 1 - view.scroll;
      if (bottom < view.y || bottom - row.height > view.y + view.height) return;
      const steps = visibleSteps(row.steps, row.height - 3, view);
      brush.colour(scene.fills[row.steps.fill] ?? '');
      for (const { x, width, rise } of steps) brush.rect(x, bottom - rise, width, rise);
      brush.colour(scene.fills[row.steps.line] ?? '');
      for (const { x, width, rise } of steps) brush.rect(x, bottom - rise, width, STEP_LINE_PX);
    });
  };
}

interface VisibleStep {
  readonly x: number;
  readonly width: number;
  readonly rise: number;
}

function visibleSteps(
  { at, value, min, max }: LaneSteps,
  room: number,
  view: LaneView,
): readonly VisibleStep[] {
  const floor = Math.min(0, min);
  const range = Math.max(1, max - floor);
  const steps: VisibleStep[] = [];
  for (let i = 0; i < at.length; i += 1) {
    const x = Math.max(view.x, view.x + ((at[i] ?? 0) - view.start) * view.scale);
    const to = Math.min(view.x + view.width, view.x + ((at[i + 1] ?? Infinity) - view.start) * view.scale);
    if (to <= x) continue;
    const rise = Math.max(STEP_LINE_PX, (((value[i] ?? 0) - floor) / range) * room);
    steps.push({ x, width: Math.max(1, to - x), rise });
  }
  return steps;
}

function rowLines(scene: LaneScene, colour: string): Painter {
  return (brush, view) => {
    brush.colour(colour);
    scene.rows.forEach((row, index) => {
      if (row.group === undefined || index === 0) return;
      const y = Math.round(view.y + (scene.tops[index] ?? 0) - view.scroll);
      if (y > view.y) brush.rect(view.x, y - 3, view.width, 1);
    });
  };
}

function bands(scene: LaneScene, colour: string): Painter {
  return (brush, view) => {
    brush.colour(colour);
    for (const band of scene.bands) {
      const from = Math.max(view.x, view.x + (band.start - view.start) * view.scale);
      const to = Math.min(view.x + view.width, view.x + (band.end - view.start) * view.scale);
      const y = view.y + (scene.tops[band.firstRow] ?? 0) - view.scroll;
      const height =
        (scene.tops[band.lastRow] ?? 0) +
        (scene.rows[band.lastRow]?.height ?? 0) -
        (scene.tops[band.firstRow] ?? 0);
      if (to < view.x || from > view.x + view.width) continue;
      const width = Math.max(2, to - from);
      if (width < 5) brush.rect(from, y, width, height);
      else brush.lines(hatchLines({ x: from, y, width, height }));
    }
  };
}
