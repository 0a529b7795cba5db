import { isCrowded, mayShowShares, paintShares } from './crowdedRows';
import { hatchLines } from './hatch';
import { itemBars, unfilledItems } from './laneLooks';
import { isFilled, type LaneScene, type LaneSteps } from './laneScene';
import type { Brush } from './brush';
import { MIN_LEVEL_PX, MIN_WIDTH_PX, type LaneInks, type LaneView, type Painter } from './painter';

/** From this width on, neighbours of one colour are kept apart by a sliver of ground. */
const SEPARATE_FROM_PX = 4;
const STEP_LINE_PX = 1.5;

/** One painter per colour, then the hairlines and bands that lie on top. The names are above all lines: `laneTexts`. */
export function scenePainters(scene: LaneScene, inks: LaneInks): readonly Painter[] {
  const columns = rectangleColumns(scene).map((own, fill) => ({ ...own, colour: scene.fills[fill] ?? '' }));
  const hasShares = scene.showsShares ? sharesByView(columns) : () => false;
  return [
    rowLines(scene, inks.line),
    ...columns.filter(({ from }) => from.length > 0).map((own) => rectangles(own, own.colour, hasShares)),
    unfilledItems(scene),
    itemBars(scene, inks),
    stepAreas(scene),
    bands(scene, inks.loss),
  ];
}

/** Rectangles of one colour as columns, because a canvas is fastest when it need not change its colour. */
interface RectangleColumns {
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly top: Float32Array;
  readonly height: Float32Array;
  /** The rows whose rectangles give way to shares where one of them is crowded. */
  readonly shared: readonly SharedRow[];
  /** Whether the server has summed up a row of this colour: it shows shares already. */
  readonly isSummedUp: boolean;
}

/** The first rectangle of a row, and the one after its last. */
interface SharedRow {
  readonly first: number;
  readonly end: number;
}

function rectangles(
  columns: RectangleColumns,
  colour: string,
  hasShares: (view: LaneView) => boolean,
): Painter {
  return (brush, view) => {
    brush.colour(colour);
    const right = view.x + view.width;
    const painted = hasShares(view)
      ? columns.shared.filter((row) => paintRowShares(columns, row, brush, view))
      : [];
    let next = 0;
    for (let i = 0; i < columns.from.length; i += 1) {
      if (i === painted[next]?.first) {
        i = (painted[next]?.end ?? i) - 1;
        next += 1;
        continue;
      }
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

/**
 * Whether rows show how busy they were. Beside a row of shares, one that happens to have fewer slices looks busier
 * than it was in full height: all rows are drawn in one way.
 */
function sharesByView(columns: readonly RectangleColumns[]): (view: LaneView) => boolean {
  const hasCrowd = ({ isSummedUp, shared, from, to }: RectangleColumns, view: LaneView) =>
    isSummedUp ||
    shared.some(({ first, end }) => isCrowded(from.subarray(first, end), to.subarray(first, end), view));
  // The painter of each colour asks once a frame.
  let known = { start: Number.NaN, scale: 0, width: 0, answer: false };
  return (view) => {
    const { start, scale, width } = view;
    if (start !== known.start || scale !== known.scale || width !== known.width) {
      known = { start, scale, width, answer: columns.some((own) => hasCrowd(own, view)) };
    }
    return known.answer;
  };
}

/** Whether the row was in sight, and so is painted. */
function paintRowShares(columns: RectangleColumns, row: SharedRow, brush: Brush, view: LaneView): boolean {
  const [top, height] = [
    view.y + (columns.top[row.first] ?? 0) - view.scroll,
    columns.height[row.first] ?? 0,
  ];
  if (top + height < view.y || top > view.y + view.height) return false;
  const from = columns.from.subarray(row.first, row.end);
  paintShares({ from, to: columns.to.subarray(row.first, row.end), top, height }, brush, view);
  return true;
}

/** The rectangles of each fill, in two passes over the items: a scene may have hundreds of fills. */
function rectangleColumns(scene: LaneScene): readonly RectangleColumns[] {
  const shared = scene.fills.map((): SharedRow[] => []);
  const { counts, summedUp } = countFilled(scene);
  const columns = scene.fills.map((_, fill): RectangleColumns => {
    const count = counts[fill] ?? 0;
    return {
      shared: shared[fill] ?? [],
      isSummedUp: summedUp.has(fill),
      from: new Float64Array(count),
      to: new Float64Array(count),
      top: new Float32Array(count),
      height: new Float32Array(count),
    };
  });
  const next = new Uint32Array(scene.fills.length);
  scene.rows.forEach((row, rowIndex) => {
    const { items, height: rowHeight } = row;
    // Rows of a minimap are too low to spare a pixel.
    const inset = rowHeight >= 8 ? 1 : 0;
    const top = (scene.tops[rowIndex] ?? 0) + inset;
    const room = rowHeight - 2 * inset;
    const before = next.slice();
    for (let i = 0; i < items.start.length; i += 1) {
      const fill = items.fill[i];
      const own = columns[fill ?? -1];
      if (fill === undefined || own === undefined || !isFilled(row, i)) continue;
      const at = next[fill] ?? 0;
      const start = items.start[i] ?? 0;
      const height =
        items.level === undefined ? room : Math.max(MIN_LEVEL_PX, Math.min(1, items.level[i] ?? 0) * room);
      own.from[at] = start;
      own.to[at] = start + (items.duration[i] ?? 0);
      own.top[at] = top + room - height;
      own.height[at] = height;
      next[fill] = at + 1;
    }
    if (!mayShowShares(row)) return;
    next.forEach((end, fill) => {
      const first = before[fill] ?? 0;
      if (end > first) shared[fill]?.push({ first, end });
    });
  });
  return columns;
}

/** How many items are filled with each fill, and which fills a row wears that the server summed up. */
function countFilled({ rows, fills }: LaneScene) {
  const counts = new Uint32Array(fills.length);
  const summedUp = new Set<number>();
  for (const row of rows) {
    const { fill: used, level } = row.items;
    for (let i = 0; i < used.length; i += 1) {
      const fill = used[i];
      if (fill === undefined || !isFilled(row, i)) continue;
      counts[fill] = (counts[fill] ?? 0) + 1;
      if (level !== undefined) summedUp.add(fill);
    }
  }
  return { counts, summedUp };
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
