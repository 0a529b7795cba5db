import type { CustomSeriesOption } from 'echarts/charts';
import type { Palette } from '../../lib/palette';
import { elementBrush } from './brush';
import { keepPainter, PAINTED_SHAPE, type ChartOption, type PaintedShape } from './echarts';
import type { LaneView, Painter } from './painter';
import { AXIS_HEIGHT_PX, type LaneScene } from './laneScene';
import type { AxisTicks } from './timeTicks';
import { spanOf, type TimeWindow } from './timeWindow';

export interface LaneOptionParts {
  readonly scene: LaneScene;
  /** Of the scene, in this palette; made once, for they hold the columns. */
  readonly painters: readonly Painter[];
  readonly window: TimeWindow;
  readonly ticks: AxisTicks;
  readonly palette: Palette;
  /** Pixels left of the plot. */
  readonly gutter: number;
  readonly scroll: number;
  /** Pixels above the plot; a minimap has none. */
  readonly axisHeight?: number;
  /** A picture names its rows on an axis and is made of elements; the screen paints, and has its names beside it. */
  readonly target: 'screen' | 'picture';
}

/** ECharts' side of a lane chart: the axis, its lines, and one painted element per colour of the scene. */
export function laneOption(parts: LaneOptionParts): ChartOption {
  const { ticks, palette, window } = parts;
  const values = ticks.at.map((tick) => tick.value);
  const names = new Map(ticks.at.map((tick) => [tick.value, tick.label]));
  return {
    animation: false,
    grid: {
      left: parts.gutter,
      right: 0,
      top: parts.axisHeight ?? AXIS_HEIGHT_PX,
      bottom: 0,
      // ECharts would move the plot to make room for labels, and away from what React draws over it.
      outerBoundsMode: 'none',
    },
    xAxis: {
      id: 'x',
      type: 'value',
      position: 'top',
      show: parts.axisHeight !== 0,
      min: window.start,
      max: window.end,
      axisLine: { show: false },
      axisTick: { show: true, length: 5, customValues: values, lineStyle: { color: palette.line } },
      axisLabel: {
        customValues: values,
        formatter: (value: number) => names.get(value) ?? '',
        color: palette.quiet,
        fontSize: 12,
        margin: 6,
        hideOverlap: true,
      },
      splitLine: { show: true, lineStyle: { color: palette.line, width: 1 } },
    },
    yAxis: rowAxis(parts),
    series: [
      {
        id: 'lanes',
        type: 'custom',
        coordinateSystem: 'cartesian2d',
        progressive: 0,
        silent: true,
        clip: true,
        animation: false,
        data: parts.painters.map((_, index) => [0, index]),
        renderItem: renderItemOf(parts),
      },
    ],
  };
}

type RenderItem = NonNullable<CustomSeriesOption['renderItem']>;

function renderItemOf(parts: LaneOptionParts): RenderItem {
  const { scene, painters, window, palette, scroll, target } = parts;
  return (params) => {
    const painter = painters[params.dataIndex];
    if (painter === undefined) return null;
    const { x = 0, y = 0, width = 0, height = 0 } = params.coordSys as unknown as Partial<LaneView>; // typed as `type` alone; a cartesian one has its box
    const view: LaneView = {
      x,
      y,
      width,
      height,
      start: window.start,
      scale: width / spanOf(window),
      scroll,
    };
    if (target === 'picture') {
      const { brush, elements } = elementBrush();
      painter(brush, view);
      return { type: 'group', children: elements };
    }
    const name = `${scene.id}/${palette.ground}/${params.dataIndex}`;
    keepPainter(name, painter);
    const shape: PaintedShape = { ...view, painter: name };
    const element: unknown = { type: PAINTED_SHAPE, shape, silent: true, style: { fill: 'none' } };
    return element as ReturnType<RenderItem>; // ECharts' types list its own shapes only
  };
}

/** Pixels downwards, hidden on the screen; in a picture each row's name is at its middle. */
function rowAxis({ scene, palette, target }: LaneOptionParts): NonNullable<ChartOption['yAxis']> {
  const middles = scene.rows.map((row, index) => (scene.tops[index] ?? 0) + row.height / 2);
  const nameAt = new Map(middles.map((middle, index) => [middle, pictureName(scene, index)]));
  return {
    id: 'y',
    type: 'value',
    inverse: true,
    min: 0,
    max: Math.max(1, scene.tops[scene.rows.length] ?? 1),
    show: target === 'picture',
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { show: false },
    axisLabel: {
      customValues: middles,
      formatter: (value: number) => nameAt.get(value) ?? '',
      color: palette.text,
      fontSize: 12,
      hideOverlap: false,
    },
  };
}

function pictureName(scene: LaneScene, index: number): string {
  const row = scene.rows[index];
  return row === undefined ? '' : row.group === undefined ? row.label : `${row.group}  ${row.label}`;
}
