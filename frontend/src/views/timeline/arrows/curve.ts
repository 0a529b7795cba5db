/** A point of the plot, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How far a curve leaves its row at least. */
const BEND_PX = 10;
const HEAD_PX = 5;
/** Farther outside a curve is not drawn exactly. */
const MARGIN_PX = 40;

const held = (x: number, width: number) => Math.min(width + MARGIN_PX, Math.max(-MARGIN_PX, x));

/** The curve from one point to the other with a head at its end, as the `d` of a path; `width` is the plot's. */
export function curve(from: Point, to: Point, width: number): string {
  const [a, b] = [held(from.x, width), held(to.x, width)];
  const bend = Math.max(BEND_PX, Math.abs(b - a) / 3);
  // Within a row it arches, or it would lie on what it connects.
  const lift = Math.abs(from.y - to.y) < 1 ? -2 * BEND_PX : 0;
  const line = `M${a} ${from.y}C${a + bend} ${from.y + lift} ${b - bend} ${to.y + lift} ${b} ${to.y}`;
  return b === to.x ? `${line}${head(b, to.y)}` : line;
}

/** It comes from the left, as time does. */
const head = (x: number, y: number) =>
  `M${x - HEAD_PX} ${y - HEAD_PX + 1}L${x} ${y}L${x - HEAD_PX} ${y + HEAD_PX - 1}`;
