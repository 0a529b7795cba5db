import type { Brush } from './brush';
import { risingLines, type Box } from './hatch';
import { isFilled, lookOf, type LaneRow, type LaneScene } from './laneScene';
import { MIN_LEVEL_PX, MIN_WIDTH_PX, type LaneInks, type LaneView, type Painter } from './painter';

/** Items narrower than this have no room for a line of their hatching. */
const HATCHED_FROM_PX = 4;
/** Between the lines of hatched items whose row does not say. */
const HATCH_PX = 5;
/** Bars are seen, but not before the colours that they repeat. */
const BAR_ALPHA = '99';
/** Narrower items have no room for a bar that could be told from their edge. */
const BARRED_FROM_PX = 2;

/** Hatched and outlined items, with an edge around each so that two that follow each other stay two. */
export function unfilledItems(scene: LaneScene): Painter {
  return (brush, view) => {
    eachBox(scene, view, (row, item, box) => {
      if (isFilled(row, item)) return;
      brush.colour(scene.fills[row.items.fill[item] ?? -1] ?? '');
      paintUnfilled(brush, box, lookOf(row, item) === 'hatched' ? (row.hatchPx ?? HATCH_PX) : undefined);
    });
  };
}

function paintUnfilled(brush: Brush, box: Box, hatchPx: number | undefined): void {
  if (box.width < HATCHED_FROM_PX) return brush.rect(box.x, box.y, box.width, box.height);
  for (const [x, y, across, down] of edgesOf(box)) brush.rect(x, y, across, down);
  return hatchPx === undefined ? undefined : brush.lines(risingLines(box, hatchPx));
}

function edgesOf({ x, y, width, height }: Box): readonly (readonly [number, number, number, number])[] {
  return [
    [x, y, 1, height],
    [x + width - 1, y, 1, height],
    [x, y, width, 1],
    [x, y + height - 1, width, 1],
  ];
}

/** Bars inside the items: along the lower edge where positive, along the upper one where negative. */
export function itemBars(scene: LaneScene, { onItem }: LaneInks): Painter {
  return (brush, view) => {
    brush.colour(`${onItem}${BAR_ALPHA}`);
    eachBox(scene, view, ({ items }, item, box) => {
      const bar = items.bar?.[item] ?? 0;
      if (bar === 0 || box.width < BARRED_FROM_PX) return;
      const y = bar > 0 ? box.y + box.height - bar : box.y;
      brush.rect(box.x, y, Math.max(MIN_WIDTH_PX, box.width - 0.75), Math.abs(bar));
    });
  };
}

/** Visits the boxes in sight of all items of rows that have something other than plain fills. */
function eachBox(
  scene: LaneScene,
  view: LaneView,
  visit: (row: LaneRow, item: number, box: Box) => void,
): void {
  const right = view.x + view.width;
  scene.rows.forEach((row, rowIndex) => {
    const { items, height } = row;
    if (row.hatchPx === undefined && items.look === undefined && items.bar === undefined) return;
    const y = view.y + (scene.tops[rowIndex] ?? 0) + 1 - view.scroll;
    if (y + height < view.y || y > view.y + view.height) return;
    const room = height - 2;
    items.start.forEach((start, item) => {
      const end = view.x + (start + (items.duration[item] ?? 0) - view.start) * view.scale;
      const from = Math.max(view.x - 2, view.x + (start - view.start) * view.scale);
      if (end < view.x || from > right) return;
      const width = Math.max(MIN_WIDTH_PX, Math.min(end, right + 2) - from);
      const level = Math.max(MIN_LEVEL_PX, Math.min(1, items.level?.[item] ?? 1) * room);
      visit(row, item, { x: from, y: y + room - level, width, height: level });
    });
  });
}
