import { useEffect, useMemo } from 'react';
import { useTheme } from '../theme/theme';
import { dropPainters } from './echarts';
import { saveLanePicture } from './exportPicture';
import type { PictureFormat } from './pictureFile';
import { laneInks, type LaneInks, type Painter } from './painter';
import { laneOption } from './laneOption';
import { scenePainters } from './lanePainters';
import { laneTexts } from './laneTexts';
import { sceneHeight, type LaneScene } from './laneScene';
import { stepScales } from './stepScales';
import type { AxisTicks } from './timeTicks';
import type { TimeWindow } from './timeWindow';

interface LaneOptionParts {
  readonly scene: LaneScene;
  readonly window: TimeWindow;
  readonly ticksFor: (window: TimeWindow, width: number) => AxisTicks;
  readonly gutter: number;
  readonly plotWidth: number;
  readonly scroll: number;
}

/**
 * The lanes as a chart's option, the painter of the names over them, the ticks of the axis, and all of it in full height
 * as a picture.
 */
export function useLaneOption({ scene, window, ticksFor, gutter, plotWidth, scroll }: LaneOptionParts) {
  const theme = useTheme();
  const { palette } = theme;
  const painters = useMemo(() => scenePainters(scene, laneInks(palette)), [scene, palette]);
  const names = useMemo(() => namesPainter(scene, laneInks(palette)), [scene, palette]);
  useEffect(() => () => dropPainters(`${scene.id}/`), [scene.id]);
  const ticks = useMemo(() => ticksFor(window, plotWidth), [ticksFor, window, plotWidth]);
  const option = useMemo(
    () => laneOption({ scene, painters, window, ticks, palette, gutter, scroll, target: 'screen' }),
    [scene, painters, window, ticks, palette, gutter, scroll],
  );
  const save = (format: PictureFormat, name: string, title: string) =>
    saveLanePicture(
      { scene, painters: [...painters, names], window, ticks, palette, gutter, scroll: 0 },
      theme,
      { width: plotWidth + gutter, height: sceneHeight(scene) },
      { format, name, title },
    );
  return { option, names, ticks, save };
}

/** All that is written in the rows. */
function namesPainter(scene: LaneScene, inks: LaneInks): Painter {
  const [texts, scales] = [laneTexts(scene, inks), stepScales(scene, inks)];
  return (brush, view) => {
    texts(brush, view);
    scales(brush, view);
  };
}
