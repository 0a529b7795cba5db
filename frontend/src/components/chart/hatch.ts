export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const SPACING_PX = 6;

/**
 * Both diagonals of a cross-hatch inside `box`, four numbers a line (x1, y1, x2, y2). The lines sit on a grid of
 * the canvas, not of the box, so that neighbouring boxes continue each other and panning does not make them crawl.
 */
export function hatchLines(box: Box): number[] {
  const points: number[] = [];
  const right = box.x + box.width;
  const bottom = box.y + box.height;
  const firstRising = Math.ceil((box.x + box.y) / SPACING_PX) * SPACING_PX;
  for (let sum = firstRising; sum < right + bottom; sum += SPACING_PX) {
    // x + y = sum
    const fromX = Math.max(box.x, sum - bottom);
    const toX = Math.min(right, sum - box.y);
    if (toX > fromX) points.push(fromX, sum - fromX, toX, sum - toX);
  }
  const firstFalling = Math.ceil((box.x - bottom) / SPACING_PX) * SPACING_PX;
  for (let difference = firstFalling; difference < right - box.y; difference += SPACING_PX) {
    // x - y = difference
    const fromX = Math.max(box.x, difference + box.y);
    const toX = Math.min(right, difference + bottom);
    if (toX > fromX) points.push(fromX, fromX - difference, toX, toX - difference);
  }
  return points;
}
