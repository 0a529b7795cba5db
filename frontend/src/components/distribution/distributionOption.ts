import type { ChartOption } from '../chart/echarts';
import { lineColour, taskLineColour, type Colour, type ThemeName } from '../../lib/colour';
import { PALETTES, type Palette } from '../../lib/palette';
import { isKernelThread } from '../../lib/taskKind';
import { visibleText } from '../../lib/visibleText';
import type { Curve, DistributionPlot, GroupTask, PlotAxis } from './distribution';
import { movesOfNames, reachesLeft, textOfMark, USUAL_SIZE, type Move, type PlotSize } from './curveNames';
import { movesAtEnd, NAME_GAP_PX, roomForNames } from './namesAtEnd';

/** Pixels around the plot, for the labels of its axes. */
const MARGIN = { left: 72, right: 20, top: 24, bottom: 44 } as const;

/** The same of a plot in a box of this width, with the names of curves beside it. */
export const marginOf = (plot: DistributionPlot, widthPx: number) => ({
  ...MARGIN,
  right: roomForNames(plot, widthPx) || MARGIN.right,
});

/** One line for each group, filled where it is the only one and a histogram; `above` is room for a title. */
export function distributionOption(
  plot: DistributionPlot,
  theme: ThemeName,
  palette: Palette,
  above = 0,
  size: PlotSize = USUAL_SIZE,
): ChartOption {
  const isSingle = plot.curves.length === 1;
  const room = roomForNames(plot, size.boxWidth ?? size.width);
  const moves = room > 0 ? movesAtEnd(plot, size) : movesOfNames(plot, size);
  return {
    animation: false,
    grid: { ...MARGIN, right: room || MARGIN.right, top: MARGIN.top + above, outerBoundsMode: 'none' },
    xAxis: {
      id: 'x',
      ...axisOption(plot.x, palette, endAlign(plot.x)),
      name: plot.x.title,
      nameLocation: 'middle',
      nameGap: 28,
    },
    yAxis: {
      id: 'y',
      ...axisOption(plot.y, palette),
      name: plot.y.title,
      nameGap: 8,
      nameTextStyle: { align: 'right' },
    },
    series: [
      ...plot.curves.flatMap((curve, index) => {
        const color = isSingle ? palette.normal : groupColour(index, theme, curve.task);
        const line = {
          id: `curve ${index}`,
          type: 'line' as const,
          silent: true,
          animation: false,
          symbol: 'none',
          data: curve.line.map(([x, y]) => [x, y]),
          // A bar's count holds to its right end, a sorted sample until the next one.
          step: 'end' as const,
          lineStyle: { color, width: 1.5, type: DASHES[index % DASHES.length] ?? 'solid' },
          // Said of every line: ECharts keeps the fill of the picture before where the next one is silent.
          areaStyle: { color, opacity: isSingle && plot.form === 'histogram' ? 0.35 : 0 },
        };
        const dots = {
          id: `dots ${index}`,
          type: 'scatter' as const,
          silent: true,
          animation: false,
          symbolSize: 5,
          itemStyle: { color },
          data: curve.dots.map(([x, y]) => [x, y]),
        };
        return [
          line,
          dots,
          ...(isSingle ? [] : nameOf(curve, index, color, { move: moves[index], room, x: plot.x, palette })),
        ];
      }),
      ...plot.marks.map((mark, at) =>
        markOf(
          mark,
          at,
          isSingle ? palette.normal : groupColour(mark.index, theme, plot.curves[mark.index]?.task),
          plot.curves.length,
          palette,
        ),
      ),
    ],
  };
}

/** A shelf as a broad line over its samples. */
function markOf(
  mark: DistributionPlot['marks'][number],
  at: number,
  color: string,
  curveCount: number,
  palette: Palette,
) {
  const { from, to, y, text } = mark;
  const { at: named, isShown, align } = textOfMark(mark, curveCount);
  return {
    id: `mark ${at}`,
    type: 'line' as const,
    silent: true,
    animation: false,
    symbol: 'circle',
    symbolSize: 1,
    showAllSymbol: true,
    data: [[from, y], { value: [named, y], label: { show: isShown } }, [to, y]],
    lineStyle: { color, width: 6, opacity: 0.35, cap: 'butt' as const },
    itemStyle: { color },
    label: {
      show: false,
      formatter: text,
      position: 'bottom' as const,
      align,
      color,
      ...halo(palette),
    },
    labelLayout: { hideOverlap: true },
    z: ABOVE_LINES,
  };
}

/** Lines are at 2. */
const ABOVE_LINES = 3;

/** Texts are read over the lines of other curves. */
const halo = ({ ground }: Palette) => ({ textBorderColor: ground, textBorderWidth: 4 });

interface NameParts {
  readonly move: Move | undefined;
  /** Pixels for it right of the plot; none where it is in it. */
  readonly room: number;
  readonly x: PlotAxis;
  readonly palette: Palette;
}

/** The name of a curve at the curve, in its colour; names that would lie over each other move apart. */
function nameOf(
  { named, label }: Curve,
  index: number,
  color: string,
  { move, room, x, palette }: NameParts,
) {
  if (named === undefined) return [];
  const isAtEnd = reachesLeft(named[0], x);
  return [
    {
      // Of its own where it is beside the plot: ECharts keeps what it knows of a label and is not told anew.
      id: room > 0 ? `name ${index} at the end` : `name ${index}`,
      type: 'scatter' as const,
      silent: true,
      animation: false,
      symbolSize: 1,
      itemStyle: { color },
      data: [[named[0], named[1]]],
      label: {
        show: true,
        formatter: visibleText(label),
        ...(room > 0
          ? {
              position: 'right' as const,
              align: 'left' as const,
              distance: NAME_GAP_PX,
              width: room - NAME_GAP_PX,
              overflow: 'truncate' as const,
            }
          : { position: 'top' as const, align: isAtEnd ? ('right' as const) : ('left' as const) }),
        color,
        ...halo(palette),
      },
      labelLayout: { ...move },
      z: ABOVE_LINES,
    },
  ];
}

// Lines whose hues somebody cannot tell apart differ in their dashes.
const DASHES = ['solid', 'dashed', 'dotted'] as const;
// Neighbours of one dash are far apart in hue, too.
const HUES = [250, 145, 330, 110, 195, 290, 20, 170];

/**
 * The colour of a group's line and of its square in the table: that of a task on all pages, else one by its place.
 * Orange stays with what is abnormal.
 */
export function groupColour(index: number, theme: ThemeName, task?: GroupTask): Colour {
  if (task === undefined) return lineColour(HUES[index % HUES.length] ?? 0, theme);
  if (isKernelThread(task.comm)) return PALETTES[theme].kernelThread;
  return taskLineColour(task.comm, theme, task.pid);
}

const LETTER_PX = 7;

/** A label at the end of the axis ends there too, where half of it has no room beside the plot. */
function endAlign({ min, max, ticks }: PlotAxis): 'right' | undefined {
  const last = ticks.at(-1);
  if (last === undefined || (last.at - min) / (max - min) < 0.98) return undefined;
  return (last.label.length * LETTER_PX) / 2 > MARGIN.right ? 'right' : undefined;
}

function axisOption({ min, max, ticks }: PlotAxis, palette: Palette, alignMaxLabel?: 'right') {
  const labels = new Map(ticks.map(({ at, label }) => [at, label]));
  const customValues = ticks.map(({ at }) => at);
  return {
    type: 'value' as const,
    min,
    max,
    axisTick: { show: false, customValues },
    axisLine: { show: true, onZero: false, lineStyle: { color: palette.line } },
    axisLabel: {
      customValues,
      formatter: (value: number) => labels.get(value) ?? '',
      color: palette.quiet,
      hideOverlap: true,
      ...(alignMaxLabel && { alignMaxLabel }),
    },
    splitLine: { show: true, lineStyle: { color: palette.line } },
  };
}
