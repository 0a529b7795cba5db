import type { CustomSeriesOption } from 'echarts/charts';
import { MONO } from '../theme/fonts';

/** The few strokes that lanes are made of, so that one painter serves the screen and the exported picture. */
export interface Brush {
  colour(colour: string): void;
  rect(x: number, y: number, width: number, height: number): void;
  /** Text from `x` to the right, its middle at `y`. */
  text(text: string, x: number, y: number): void;
  /** Draws a halo around the letters, so that lines crossing the text do not touch them. */
  halo(text: string, x: number, y: number): void;
  /** Hairlines, four numbers each: x1, y1, x2, y2. */
  lines(points: readonly number[]): void;
}

const HALO_PX = 2;
/** A selection and the stages of a case tint what is under a halo: opaque, it would stand out from its own item. */
const HALO_OPACITY = 0.6;

export const LANE_FONT_SIZE = 12;
export const LANE_FONT = `${LANE_FONT_SIZE}px ${MONO}`;

/** Paints on a canvas at once; costs what the canvas costs. */
export function canvasBrush(context: CanvasRenderingContext2D): Brush {
  context.font = LANE_FONT;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.lineWidth = 1;
  return {
    colour: (colour) => {
      context.fillStyle = colour;
      context.strokeStyle = colour;
    },
    rect: (x, y, width, height) => context.fillRect(x, y, width, height),
    text: (text, x, y) => context.fillText(text, x, y),
    halo: (text, x, y) => {
      context.save();
      context.globalAlpha = HALO_OPACITY;
      context.lineWidth = 2 * HALO_PX;
      context.lineJoin = 'round';
      context.strokeText(text, x, y);
      context.restore();
    },
    lines: (points) => {
      context.beginPath();
      for (let i = 0; i + 3 < points.length; i += 4) {
        context.moveTo(points[i] ?? 0, points[i + 1] ?? 0);
        context.lineTo(points[i + 2] ?? 0, points[i + 3] ?? 0);
      }
      context.stroke();
    },
  };
}

type RenderItem = NonNullable<CustomSeriesOption['renderItem']>;
type DrawnItem = ReturnType<RenderItem>;
type DrawnElement = NonNullable<DrawnItem>;

/** Collects ECharts elements instead of painting: an SVG picture has no canvas to paint on. */
export function elementBrush(): { readonly brush: Brush; readonly elements: DrawnElement[] } {
  const elements: DrawnElement[] = [];
  let fill = '';
  const brush: Brush = {
    colour: (colour) => {
      fill = colour;
    },
    rect: (x, y, width, height) =>
      elements.push({ type: 'rect', shape: { x, y, width, height }, style: { fill } }),
    text: (text, x, y) =>
      elements.push({ type: 'text', x, y, style: { text, fill, font: LANE_FONT, verticalAlign: 'middle' } }),
    // No lines cross the names of a picture.
    halo: () => undefined,
    lines: (points) => {
      for (let i = 0; i + 3 < points.length; i += 4) {
        const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points.slice(i, i + 4);
        elements.push({ type: 'line', shape: { x1, y1, x2, y2 }, style: { stroke: fill, lineWidth: 1 } });
      }
    },
  };
  return { brush, elements };
}
