import type { ChartOption } from '../chart/echarts';
import { PICTURE_TITLE_PX } from '../chart/exportPicture';
import { AXIS_HEIGHT_PX } from '../chart/laneScene';
import type { AxisTicks } from '../chart/timeTicks';
import type { Palette } from '../../lib/palette';
import { place } from './durationAxis';
import { EDGE_PX, ROW_GAP_PX, type PointLane, type SeriesPlot } from './series';

interface SeriesOptionParts {
  readonly plot: SeriesPlot;
  readonly ticks: AxisTicks;
  readonly palette: Palette;
  /** Pixels left of the plot, for the names of the CPUs and the durations. */
  readonly gutter: number;
  /** A picture has no names beside it, so it writes them itself. */
  readonly target: 'screen' | 'picture';
}

/** One grid for each CPU under one time axis; the worst of all is orange. */
export function seriesOption(parts: SeriesOptionParts): ChartOption {
  const { lanes } = parts.plot;
  return {
    animation: false,
    grid: lanes.map((_, row) => gridOf(parts, row)),
    xAxis: lanes.map((_, row) => timeAxisOf(parts, row)),
    yAxis: lanes.map((lane, row) => levelAxisOf(parts, lane, row)),
    series: [...lanes.map((lane, row) => pointsOf(parts, lane, row)), ...worstOf(parts)],
  };
}

function gridOf({ plot: { rowPx }, gutter, target }: SeriesOptionParts, row: number) {
  const above = AXIS_HEIGHT_PX + (target === 'picture' ? PICTURE_TITLE_PX : 0);
  return {
    id: `row ${row}`,
    left: gutter,
    right: EDGE_PX,
    top: above + row * rowPx + ROW_GAP_PX,
    height: rowPx - ROW_GAP_PX,
    outerBoundsMode: 'none' as const,
  };
}

const lineOf = ({ line }: Palette) => ({ show: true, lineStyle: { color: line } });

/** Every row has the lines of the time axis, and the first one its labels. */
function timeAxisOf({ plot: { window }, ticks, palette }: SeriesOptionParts, row: number) {
  const labels = new Map(ticks.at.map(({ value, label }) => [value, label]));
  const customValues = ticks.at.map(({ value }) => value);
  return {
    id: `x ${row}`,
    gridIndex: row,
    type: 'value' as const,
    position: 'top' as const,
    min: window.start,
    max: window.end,
    axisLine: { show: false },
    axisTick: { show: false, customValues },
    axisLabel: {
      show: row === 0,
      customValues,
      formatter: (value: number) => labels.get(value) ?? '',
      margin: 8,
      hideOverlap: true,
    },
    splitLine: lineOf(palette),
  };
}

/** All rows have one scale: where they are low, its levels are named a few times, not in every row. */
function namesLevels(rowPx: number, row: number): boolean {
  return rowPx >= ROW_OF_NAMES_PX || row % Math.ceil(BETWEEN_NAMES_PX / rowPx) === 0;
}

/** Rows as high as this have levels enough of their own. */
const ROW_OF_NAMES_PX = 48;
/** Of lower rows, so that one that names the levels is always in sight. */
const BETWEEN_NAMES_PX = 224;

function levelAxisOf(
  { plot: { axis, rowPx }, palette, gutter, target }: SeriesOptionParts,
  { cpu }: PointLane,
  row: number,
) {
  const levels = new Map(namesLevels(rowPx, row) ? axis.ticks.map(({ at, label }) => [at, label]) : []);
  const customValues = axis.ticks.map(({ at }) => at);
  return {
    id: `y ${row}`,
    gridIndex: row,
    type: 'value' as const,
    min: axis.min,
    max: axis.max,
    axisLine: lineOf(palette),
    axisTick: { show: false, customValues },
    axisLabel: {
      customValues,
      formatter: (value: number) => levels.get(value) ?? '',
      hideOverlap: true,
    },
    splitLine: lineOf(palette),
    ...(target === 'picture' && {
      name: `CPU ${cpu}`,
      nameLocation: 'middle' as const,
      nameRotate: 0,
      nameGap: gutter - 40,
    }),
  };
}

/** Drawn as squares, which have the area of circles that are 3 pixels wide. */
const POINT_PX = 2.66;

function pointsOf(
  { plot: { axis }, palette }: SeriesOptionParts,
  { t, duration_ns }: PointLane,
  row: number,
) {
  return {
    ...pointLook(row),
    id: `points ${row}`,
    // One shape for all points of a row: the page stands still while ECharts makes one of each.
    large: true,
    largeThreshold: 0,
    symbolSize: POINT_PX,
    itemStyle: { color: palette.normal },
    data: t.map((at, index) => [at, place(duration_ns[index] ?? 0, axis.scale)]),
  };
}

/** The worst of all, over its own small point. */
function worstOf({ plot: { axis, lanes, worst }, palette }: SeriesOptionParts) {
  if (worst === undefined) return [];
  const { t, duration_ns } = lanes[worst.lane] ?? {};
  const value = [t?.[worst.index] ?? 0, place(duration_ns?.[worst.index] ?? 0, axis.scale)];
  return [
    {
      ...pointLook(worst.lane),
      id: 'worst',
      symbolSize: 9,
      itemStyle: { color: palette.abnormal },
      data: [value],
    },
  ];
}

const pointLook = (row: number) => ({
  type: 'scatter' as const,
  xAxisIndex: row,
  yAxisIndex: row,
  silent: true,
  animation: false,
  progressive: 0,
  clip: true,
});
