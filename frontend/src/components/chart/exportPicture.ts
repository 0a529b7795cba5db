import { saveBlob } from '../../lib/saveBlob';
import type { Theme } from '../theme/theme';
import { themeOf } from './chartTheme';
import { init } from './echarts';
import { AXIS_HEIGHT_PX, laneOption, type LaneOptionParts } from './laneOption';

export type PictureFormat = 'png' | 'svg';

const PICTURE_GUTTER_PX = 140;
/** Browsers refuse a canvas beyond this many pixels on a side, and paint nothing. */
const MOST_PIXELS = 16_384;

/** Saves all rows of a lane chart in the given window as a file, with the rows' names on an axis. */
export function saveLanePicture(
  parts: Omit<LaneOptionParts, 'target'>,
  theme: Theme,
  size: { readonly width: number; readonly height: number },
  format: PictureFormat,
  name: string,
): void {
  const width = size.width - parts.gutter + PICTURE_GUTTER_PX;
  const height = size.height + AXIS_HEIGHT_PX;
  const pixelRatio = Math.min(2, MOST_PIXELS / Math.max(width, height));
  const chart = init(null, themeOf(theme), { renderer: 'svg', ssr: true, width, height });
  chart.setOption({
    backgroundColor: theme.palette.ground,
    ...laneOption({ ...parts, gutter: PICTURE_GUTTER_PX, target: 'picture' }),
  });
  const svg = new Blob([chart.renderToSVGString()], { type: 'image/svg+xml' });
  chart.dispose();
  if (format === 'svg') saveBlob(svg, `${name}.svg`);
  else
    void paintPng(svg, width * pixelRatio, height * pixelRatio).then(
      (png) => png && saveBlob(png, `${name}.png`),
    );
}

async function paintPng(svg: Blob, width: number, height: number): Promise<Blob | null> {
  const url = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(width);
    canvas.height = Math.round(height);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  } finally {
    URL.revokeObjectURL(url);
  }
}
