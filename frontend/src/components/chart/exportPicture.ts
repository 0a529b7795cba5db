import type { Theme } from '../theme/theme';
import { init, themeOf, type ChartOption } from './echarts';
import { laneOption, type LaneOptionParts } from './laneOption';
import { AXIS_HEIGHT_PX } from './laneScene';
import { saveSvg, type PictureFormat } from './pictureFile';
import type { AxisTicks } from './timeTicks';

const PICTURE_GUTTER_PX = 160;
/** Above what is drawn: an option for a picture leaves so much room for the title. */
export const PICTURE_TITLE_PX = 28;
/** Browsers refuse a canvas beyond this many pixels on a side, and paint nothing. */
const MOST_PIXELS = 16_384;

export interface PictureFile {
  readonly format: PictureFormat;
  /** Without its ending. */
  readonly name: string;
  /** What the picture shows, for those who meet it far from here. */
  readonly title: string;
}

/** Saves all rows of a lane chart in the given window as a file, under a title and with the rows' names on an axis. */
export function saveLanePicture(
  parts: Omit<LaneOptionParts, 'target'>,
  theme: Theme,
  size: { readonly width: number; readonly height: number },
  { format, name, title }: PictureFile,
): void {
  // Rows without names, as those of a merged graph, need no room for them.
  const gutter = parts.gutter === 0 ? 0 : PICTURE_GUTTER_PX;
  const axisHeight = PICTURE_TITLE_PX + AXIS_HEIGHT_PX;
  savePicture(
    laneOption({ ...parts, gutter, axisHeight, target: 'picture' }),
    theme,
    { width: size.width - parts.gutter + gutter, height: size.height + axisHeight },
    { format, name, title: title + axisNote(parts.ticks) },
  );
}

/** What on the screen is in the corner above the names. */
function axisNote({ base, unit }: AxisTicks): string {
  if (base !== undefined) return ` · times after ${base}`;
  return unit === undefined ? '' : ` · times in ${unit}`;
}

/** Saves what an option draws on the given size as a file, on the ground of the theme and under a title. */
export function savePicture(
  option: ChartOption,
  theme: Theme,
  { width, height }: { readonly width: number; readonly height: number },
  { format, name, title }: PictureFile,
): void {
  const pixelRatio = Math.min(2, MOST_PIXELS / Math.max(width, height));
  const chart = init(null, themeOf(theme), { renderer: 'svg', ssr: true, width, height });
  chart.setOption({
    backgroundColor: theme.palette.ground,
    ...option,
    title: {
      text: title,
      left: 8,
      top: 6,
      // A sentence may be longer than the picture is wide.
      textStyle: {
        fontSize: 13,
        fontWeight: 'bold',
        color: theme.palette.text,
        width: width - 16,
        overflow: 'truncate',
      },
    },
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  void saveSvg(svg, name, format, pixelRatio);
}
