import type { ChartOption } from '../../components/chart/echarts';
import type { ElementSize } from '../../components/chart/useElementSize';
import type { Palette } from '../../lib/palette';
import { visibleText } from '../../lib/visibleText';
import { fittingTicks, MARGIN, STAT_NAMES, type TrendLine, type TrendPlot } from './trendPlot';

type Line = Pick<TrendLine, 'placed'>;

/** The height that the name of a line takes. */
const NAME_PX = 14;

/** Points of the number that is followed, its levels, and thin lines of others; `above` is room for a title. */
export function trendOption(
  plot: TrendPlot,
  palette: Palette,
  { width, height }: ElementSize,
  above = 0,
): ChartOption {
  const ticks = fittingTicks(plot.ticks, plot.points.length, width - MARGIN.left - MARGIN.right);
  const labels = new Map(ticks.map(({ at, label }) => [at, label]));
  const [followed, ...others] = plot.lines;
  const { band } = plot;
  const held = band && { placed: plot.points.map(() => (band.low + band.high) / 2) };
  // Its name is at the end of its level line, which is as long as the other lines.
  const level = followed && { placed: [plot.levels.at(-1)?.placed ?? followed.placed.at(-1) ?? 0] };
  const named = [...(level ? [level] : []), ...others, ...(held ? [held] : [])];
  const shifts = nameShifts(named, plot.axis, height - above - MARGIN.top - MARGIN.bottom);
  const levels = new Map(plot.axis.ticks.map(({ at, label }) => [at, label]));
  return {
    animation: false,
    grid: { ...MARGIN, top: MARGIN.top + above, outerBoundsMode: 'none' },
    xAxis: {
      id: 'x',
      type: 'value',
      min: -0.5,
      max: Math.max(0, plot.points.length - 1) + 0.5,
      axisTick: { show: false, customValues: [...labels.keys()] },
      axisLabel: {
        customValues: [...labels.keys()],
        formatter: (value: number) => visibleText(labels.get(value) ?? ''),
        hideOverlap: true,
      },
      axisLine: { show: true, onZero: false, lineStyle: { color: palette.line } },
      splitLine: { show: false },
    },
    yAxis: {
      id: 'y',
      type: 'value',
      min: plot.axis.min,
      max: plot.axis.max,
      name: plot.measure.axis,
      nameGap: 8,
      nameTextStyle: { align: 'right' },
      // At the left, and not through the first run, which is at zero.
      axisLine: { show: true, onZero: false },
      axisTick: { show: false, customValues: [...levels.keys()] },
      axisLabel: {
        customValues: [...levels.keys()],
        formatter: (value: number) => levels.get(value) ?? '',
        hideOverlap: true,
      },
      splitLine: { show: true, lineStyle: { color: palette.line } },
    },
    series: [
      ...(followed && level
        ? [
            pointsOf(plot, followed, palette),
            levelsOf(plot, palette),
            followedOf(plot, followed, palette, shifts.get(level) ?? 0),
          ]
        : []),
      ...others.map((line) => otherOf(line, palette, shifts.get(line) ?? 0)),
      ...(held ? [baselineNameOf(held, palette, shifts.get(held) ?? 0)] : []),
    ],
  };
}

function pointsOf({ changes, points, band }: TrendPlot, { stat, placed }: TrendLine, palette: Palette) {
  const areMany = placed.length > 200;
  return {
    id: stat,
    type: 'scatter' as const,
    silent: true,
    animation: false,
    progressive: 0,
    symbolSize: areMany ? 4 : 6,
    itemStyle: { color: palette.normal },
    z: 4,
    data: placed.map((y, at) => {
      if (changes.includes(at)) {
        return { value: [at, y], symbolSize: 10, itemStyle: { color: palette.abnormal } };
      }
      // What lost events may have been worse: a hollow point.
      return points[at]?.lost_events === true
        ? {
            value: [at, y],
            itemStyle: { color: palette.ground, borderColor: palette.normal, borderWidth: 1 },
          }
        : [at, y];
    }),
    ...(band && { markArea: bandOf(band, palette) }),
    markLine: {
      silent: true,
      animation: false,
      symbol: 'none',
      label: { show: false },
      lineStyle: { color: palette.abnormal, type: 'dashed' as const, width: 1 },
      data: changes.map((at) => ({ xAxis: at - 0.5 })),
    },
  };
}

/** Where the baseline's number lies; a line where it has no interval. */
function bandOf({ low, high }: NonNullable<TrendPlot['band']>, palette: Palette) {
  return {
    silent: true,
    animation: false,
    itemStyle: { color: palette.good, opacity: 0.25, borderColor: palette.good, borderWidth: 1 },
    label: { show: false },
    data: [[{ yAxis: low }, { yAxis: high }]] as [{ yAxis: number }, { yAxis: number }][],
  };
}

/** The name of the band, beside those of the lines: in the plot it would lie over the runs that the baseline was made of. */
function baselineNameOf({ placed }: Line, palette: Palette, shift: number) {
  return {
    id: 'baseline',
    type: 'line' as const,
    silent: true,
    animation: false,
    symbol: 'none',
    lineStyle: { width: 0 },
    data: throughout(placed),
    endLabel: endLabelOf('baseline', palette.good, shift),
  };
}

/** The median of each level as a line over its runs. */
function levelsOf({ levels }: TrendPlot, palette: Palette) {
  return {
    id: 'levels',
    type: 'line' as const,
    silent: true,
    animation: false,
    symbol: 'none',
    z: 3,
    lineStyle: { color: palette.text, width: 1.5 },
    data: levels.flatMap(({ from, to, placed }) => [
      [from - 0.5, placed],
      [to + 0.5, placed],
      ['-', '-'],
    ]),
  };
}

/** How far, in pixels of a plot of this height, the name of each line is moved down, so that none lies over another. */
export function nameShifts(
  lines: readonly Line[],
  { min, max }: Pick<TrendPlot['axis'], 'min' | 'max'>,
  heightPx: number,
): ReadonlyMap<Line, number> {
  const topOf = ({ placed }: Line) => ((max - (placed.at(-1) ?? min)) / (max - min)) * heightPx;
  const shifts = new Map<Line, number>();
  let free = -Infinity;
  for (const line of lines.toSorted((one, other) => topOf(one) - topOf(other))) {
    const top = topOf(line);
    shifts.set(line, Math.max(0, free - top));
    free = Math.max(free, top) + NAME_PX;
  }
  return shifts;
}

/** Levels reach half a run beyond the first and the last run, and so does every line: its name is at its end. */
const throughout = (placed: readonly number[]): [number, number][] => {
  const [first, last] = [placed[0], placed.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [[-0.5, first], ...placed.map((y, at): [number, number] => [at, y]), [placed.length - 0.5, last]];
};

const endLabelOf = (formatter: string, color: string, shift: number) => ({
  show: true,
  formatter,
  color,
  distance: 6,
  offset: [0, shift] as [number, number],
});

/** The name of the number that is followed; where it has no levels, a faint line through its points, too. */
function followedOf({ levels }: TrendPlot, { stat, placed }: TrendLine, palette: Palette, shift: number) {
  const end = levels.at(-1)?.placed;
  return {
    id: `${stat} name`,
    type: 'line' as const,
    silent: true,
    animation: false,
    symbol: 'none',
    z: 2,
    lineStyle: { color: palette.normal, width: 1, opacity: end === undefined ? 0.7 : 0 },
    data: throughout(end === undefined ? placed : placed.map(() => end)),
    endLabel: endLabelOf(STAT_NAMES[stat], palette.text, shift),
  };
}

function otherOf({ stat, placed }: TrendLine, palette: Palette, shift: number) {
  return {
    id: stat,
    type: 'line' as const,
    silent: true,
    animation: false,
    symbol: 'none',
    z: 2,
    lineStyle: { color: palette.edge, width: 1, opacity: 0.7 },
    data: throughout(placed),
    endLabel: endLabelOf(STAT_NAMES[stat], palette.quiet, shift),
  };
}
