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
  return [...risingLines(box, SPACING_PX), ...fallingLines(box, SPACING_PX)];
}

/** The diagonals of `box` that rise to the right, `spacing` pixels apart along its edges. */
export function risingLines(box: Box, spacing: number): number[] {
  const points: number[] = [];
  const right = box.x + box.width;
  const bottom = box.y + box.height;
  const first = Math.ceil((box.x + box.y) / spacing) * spacing;
  for (let sum = first; sum < right + bottom; sum += spacing) {
    // x + y = sum
    const fromX = Math.max(box.x, sum - bottom);
    const toX = Math.min(right, sum - box.y);
    if (toX > fromX) points.push(fromX, sum - fromX, toX, sum - toX);
  }
  return points;
}

function fallingLines(box: Box, spacing: number): number[] {
  const points: number[] = [];
  const right = box.x + box.width;
  const bottom = box.y + box.height;
  const first = Math.ceil((box.x - bottom) / spacing) * spacing;
  for (let difference = first; difference < right - box.y; difference += spacing) {
    // x - y = difference
    const fromX = Math.max(box.x, difference + box.y);
    const toX = Math.min(right, difference + bottom);
    if (toX > fromX) points.push(fromX, fromX - difference, toX, toX - difference);
  }
  return points;
}
