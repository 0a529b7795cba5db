/** A point of the plot, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A cubic curve by its ends and the two points that bend it. */
export interface Curve {
  readonly points: readonly [Point, Point, Point, Point];
  /** Whether its end is in sight, and has a head. */
  readonly hasHead: boolean;
}

/** The least distance of a curve from its row. */
const BEND_PX = 10;
const HEAD_PX = 5;
/** Beyond this distance outside the plot, a curve is not drawn exactly. */
const MARGIN_PX = 40;
/** Straight pieces that a curve is measured by. */
const PIECES = 24;

const held = (x: number, width: number) => Math.min(width + MARGIN_PX, Math.max(-MARGIN_PX, x));

/** The curve from one point to the other; `width` is the plot's. */
export function curveBetween(from: Point, to: Point, width: number): Curve {
  const [a, b] = [held(from.x, width), held(to.x, width)];
  const bend = Math.max(BEND_PX, Math.abs(b - a) / 3);
  // Within a row it arches, or it would cover what it connects.
  const lift = Math.abs(from.y - to.y) < 1 ? -2 * BEND_PX : 0;
  return {
    points: [
      { x: a, y: from.y },
      { x: a + bend, y: from.y + lift },
      { x: b - bend, y: to.y + lift },
      { x: b, y: to.y },
    ],
    hasHead: b === to.x,
  };
}

/** A curve with the head at its end, as the `d` of a path. */
export function curvePath({ points: [from, leaving, arriving, to], hasHead }: Curve): string {
  const line = `M${from.x} ${from.y}C${leaving.x} ${leaving.y} ${arriving.x} ${arriving.y} ${to.x} ${to.y}`;
  return hasHead ? `${line}${head(to)}` : line;
}

/** It comes from the left, as time does. */
const head = ({ x, y }: Point) =>
  `M${x - HEAD_PX} ${y - HEAD_PX + 1}L${x} ${y}L${x - HEAD_PX} ${y + HEAD_PX - 1}`;

/** Pixels from a point to the nearest of a curve. */
export function distanceTo({ points }: Curve, point: Point): number {
  const along = Array.from({ length: PIECES + 1 }, (_, index) => pointAt(points, index / PIECES));
  return along
    .slice(1)
    .reduce(
      (least, end, index) => Math.min(least, distanceToPiece(along[index] ?? end, end, point)),
      Infinity,
    );
}

function pointAt([p0, p1, p2, p3]: Curve['points'], t: number): Point {
  const s = 1 - t;
  const of = (axis: 'x' | 'y') =>
    s * s * s * p0[axis] + 3 * s * s * t * p1[axis] + 3 * s * t * t * p2[axis] + t * t * t * p3[axis];
  return { x: of('x'), y: of('y') };
}

function distanceToPiece(from: Point, to: Point, point: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const square = dx * dx + dy * dy;
  const along = square === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / square;
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(point.x - from.x - t * dx, point.y - from.y - t * dy);
}
