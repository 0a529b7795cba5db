import { SANS } from '../theme/fonts';
import type { Theme } from '../theme/theme';

/** The parts of ECharts that this page uses, and the one shape that it adds. Import ECharts from here only. */
import { BarChart, CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, MarkAreaComponent, MarkLineComponent, TitleComponent } from 'echarts/components';
import { LabelLayout } from 'echarts/features';
import { graphic, init, use as addParts, type EChartsType } from 'echarts/core';
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers';
import type { ComposeOption } from 'echarts/core';
import type {
  BarSeriesOption,
  CustomSeriesOption,
  LineSeriesOption,
  ScatterSeriesOption,
} from 'echarts/charts';
import type {
  GridComponentOption,
  MarkAreaComponentOption,
  MarkLineComponentOption,
  TitleComponentOption,
} from 'echarts/components';
import { canvasBrush } from './brush';
import type { LaneView, Painter } from './painter';

addParts([
  BarChart,
  CustomChart,
  LineChart,
  ScatterChart,
  GridComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
  LabelLayout,
  CanvasRenderer,
  SVGRenderer,
]);

export type ChartOption = ComposeOption<
  | BarSeriesOption
  | CustomSeriesOption
  | GridComponentOption
  | LineSeriesOption
  | MarkAreaComponentOption
  | MarkLineComponentOption
  | ScatterSeriesOption
  | TitleComponentOption
>;
export { init, type EChartsType };

export const PAINTED_SHAPE = 'jitterscopePainted';

/** What a painted element carries: a name, and numbers. ECharts clones this at every update, so no arrays in it. */
export interface PaintedShape extends LaneView {
  readonly painter: string;
}

const painters = new Map<string, Painter>();

/** Makes `painter` known under `name`, for shapes that carry that name. Harmless when repeated. */
export function keepPainter(name: string, painter: Painter): void {
  painters.set(name, painter);
}

/** Forgets every painter whose name starts with `prefix`, and with them the arrays they hold. */
export function dropPainters(prefix: string): void {
  for (const name of painters.keys()) if (name.startsWith(prefix)) painters.delete(name);
}

const contexts = new WeakMap<object, CanvasRenderingContext2D>();

// An element per rectangle costs 20 µs a frame each. Here one element stands for all of a colour: `buildPath`
// adds nothing to the path and only remembers the canvas, and `afterBrush` paints. ECharts' own large symbols are
// drawn this way; should it change, the two methods are the only thing to move.
const Painted = graphic.extendShape({
  buildPath(path) {
    const context = 'getContext' in path ? path.getContext() : path;
    if (context instanceof CanvasRenderingContext2D) contexts.set(this, context);
  },
  afterBrush() {
    const context = contexts.get(this);
    const view = this.shape as PaintedShape; // the only shape that this class is given
    const painter = painters.get(view.painter);
    if (context === undefined || painter === undefined) return;
    // zrender skips setting what it believes is set already, so the canvas goes back as it came.
    context.save();
    painter(canvasBrush(context), view);
    context.restore();
  },
});
graphic.registerShape(PAINTED_SHAPE, Painted);

/** ECharts' defaults in the page's colours, so that a chart's option names a colour only where it means something. */
export function themeOf({ palette }: Theme): object {
  const axis = {
    axisLine: { show: true, lineStyle: { color: palette.line } },
    axisTick: { show: false },
    axisLabel: { color: palette.quiet, fontSize: 12 },
    nameTextStyle: { color: palette.quiet, fontSize: 12 },
    splitLine: { show: true, lineStyle: { color: palette.line } },
  };
  return {
    backgroundColor: 'transparent',
    color: [palette.normal, palette.abnormal, palette.irq, palette.kernelThread, palette.good],
    textStyle: { color: palette.text, fontSize: 12, fontFamily: SANS },
    valueAxis: axis,
    logAxis: axis,
    categoryAxis: axis,
    timeAxis: axis,
  };
}
