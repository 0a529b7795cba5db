import type { ChartOption } from '../chart/echarts';
import { PICTURE_TITLE_PX } from '../chart/exportPicture';
import { AXIS_HEIGHT_PX } from '../chart/laneOption';
import type { AxisTicks } from '../chart/timeTicks';
import type { Palette } from '../../lib/palette';
import { place } from './durationAxis';
import { ROW_GAP_PX, type SeriesPlot } from './series';

interface SeriesOptionParts {
  readonly plot: SeriesPlot;
  readonly ticks: AxisTicks;
  readonly palette: Palette;
  /** Pixels left of the plot, for the names of the CPUs and the durations. */
  readonly gutter: number;
  /** A picture has no names beside it, so it writes them itself. */
  readonly target: 'screen' | 'picture';
}

/** One grid for each CPU under one time axis; the longest of all is orange. */
export function seriesOption({ plot, ticks, palette, gutter, target }: SeriesOptionParts): ChartOption {
  const { lanes, axis, window, rowPx, worst } = plot;
  const labels = new Map(ticks.at.map(({ value, label }) => [value, label]));
  const levels = new Map(axis.ticks.map(({ at, label }) => [at, label]));
  const above = AXIS_HEIGHT_PX + (target === 'picture' ? PICTURE_TITLE_PX : 0);
  const line = { show: true, lineStyle: { color: palette.line } };
  return {
    animation: false,
    grid: lanes.map((_, row) => ({
      id: `row ${row}`,
      left: gutter,
      right: 0,
      top: above + row * rowPx + ROW_GAP_PX,
      height: rowPx - ROW_GAP_PX,
      outerBoundsMode: 'none' as const,
    })),
    xAxis: lanes.map((_, row) => ({
      id: `x ${row}`,
      gridIndex: row,
      type: 'value' as const,
      position: 'top' as const,
      min: window.start,
      max: window.end,
      axisLine: { show: false },
      axisTick: { show: false, customValues: ticks.at.map(({ value }) => value) },
      axisLabel: {
        show: row === 0,
        customValues: ticks.at.map(({ value }) => value),
        formatter: (value: number) => labels.get(value) ?? '',
        margin: 8,
        hideOverlap: true,
      },
      splitLine: line,
    })),
    yAxis: lanes.map(({ cpu }, row) => ({
      id: `y ${row}`,
      gridIndex: row,
      type: 'value' as const,
      min: axis.min,
      max: axis.max,
      axisLine: line,
      axisTick: { show: false, customValues: axis.ticks.map(({ at }) => at) },
      axisLabel: {
        customValues: axis.ticks.map(({ at }) => at),
        formatter: (value: number) => levels.get(value) ?? '',
        hideOverlap: true,
      },
      splitLine: line,
      ...(target === 'picture' && {
        name: `CPU ${cpu}`,
        nameLocation: 'middle' as const,
        nameRotate: 0,
        nameGap: gutter - 40,
      }),
    })),
    series: lanes.map(({ t, duration_ns }, row) => ({
      id: `points ${row}`,
      type: 'scatter' as const,
      xAxisIndex: row,
      yAxisIndex: row,
      silent: true,
      animation: false,
      progressive: 0,
      clip: true,
      symbolSize: 3,
      itemStyle: { color: palette.normal },
      data: t.map((at, index) => {
        const value = [at, place(duration_ns[index] ?? 0, axis.scale)];
        const isWorst = worst?.lane === row && worst.index === index;
        return isWorst ? { value, symbolSize: 9, itemStyle: { color: palette.abnormal } } : value;
      }),
    })),
  };
}
