import { PICTURE_TITLE_PX, savePicture, type PictureFile } from '../../../components/chart/exportPicture';
import { timeTicks } from '../../../components/chart/timeTicks';
import type { Theme } from '../../../components/theme/theme';
import { EDGE_PX, type SeriesPlot } from '../../../components/series/series';
import { seriesOption } from '../../../components/series/seriesOption';

interface SeriesPicture {
  readonly plot: SeriesPlot;
  readonly theme: Theme;
  readonly width: number;
  readonly gutter: number;
}

/** Saves the points in sight as a file, with the names of the CPUs on their axes. */
export function saveSeriesPicture({ plot, theme, width, gutter }: SeriesPicture, file: PictureFile): void {
  const ticks = timeTicks(plot.window, width);
  const option = seriesOption({ plot, ticks, palette: theme.palette, gutter, target: 'picture' });
  const height = PICTURE_TITLE_PX + plot.heightPx + 8;
  const base = ticks.base === undefined ? '' : ` · times after ${ticks.base}`;
  savePicture(
    option,
    theme,
    { width: width + gutter + EDGE_PX, height },
    { ...file, title: file.title + base },
  );
}
