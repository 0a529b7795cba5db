import type { SqlAnswer, SqlColumn, SqlValue } from '../../api/sql';
import type { ChartOption } from '../../components/chart/echarts';
import { niceStep } from '../../components/series/durationAxis';
import type { Palette } from '../../lib/palette';
import { measureOf } from '../../lib/measure';
import { groupDigits } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import type { PlotKind } from '../../viewState/query';
import { isNumber } from './resultCells';

/** What can be drawn of an answer: its first column along the bottom, and the numbers beside it. */
export interface ResultPlot {
  readonly x: SqlColumn;
  /** Names along the bottom, where the first column holds no numbers. */
  readonly names: readonly string[] | undefined;
  readonly series: readonly PlotSeries[];
}

export interface PlotSeries {
  readonly column: SqlColumn;
  readonly points: readonly (readonly [x: number, y: number])[];
}

const MOST_SERIES = 5;
/** Of more points, none can be told from its neighbours. */
const MOST_POINTS = 20_000;

/** The plot of an answer; nothing where it has no two columns that one can be drawn against. */
export function resultPlot({ columns, rows }: SqlAnswer): ResultPlot | undefined {
  const numbers = columns.flatMap((column, at) => (isDrawn(column) ? [at] : []));
  const first = numbers[0];
  if (first === undefined) return undefined;
  // Instants and other numbers in front are an axis; names in front are the bars' own.
  const hasNames = first > 0 || numbers.length === 1;
  const xAt = hasNames ? 0 : first;
  const x = columns[xAt];
  const ys = numbers.filter((at) => at !== xAt);
  // One axis has one unit: times if there are any, else that of the first number.
  const units = ys.map((at) => columns[at]?.unit);
  const unit = units.includes('ns') ? 'ns' : units[0];
  if (x === undefined || ys.length === 0) return undefined;
  const drawn = rows.slice(0, MOST_POINTS);
  const series = ys
    .map((at) => ({ at, column: columns[at] }))
    .filter((one): one is { at: number; column: SqlColumn } => one.column?.unit === unit)
    .slice(0, MOST_SERIES)
    .map(({ at, column }) => ({ column, points: pointsOf(drawn, hasNames ? undefined : xAt, at) }));
  return {
    x,
    names: hasNames ? drawn.map((row) => visibleText(String(row[xAt] ?? '–'))) : undefined,
    series,
  };
}

/** Numbers that name something are no heights. */
function isDrawn(column: SqlColumn): boolean {
  return isNumber(column) && !/^(pid|tgid|id|parent|seq|rank|depth|flags)$/.test(column.name);
}

function pointsOf(
  rows: readonly (readonly SqlValue[])[],
  xAt: number | undefined,
  yAt: number,
): PlotSeries['points'] {
  const points: (readonly [number, number])[] = [];
  for (const [at, row] of rows.entries()) {
    const [x, y] = [xAt === undefined ? at : row[xAt], row[yAt]];
    if (typeof x === 'number' && typeof y === 'number') points.push([x, y]);
  }
  return points;
}

/** The colours of the series, in their order. */
export function seriesColours(palette: Palette): readonly string[] {
  return [palette.normal, palette.abnormal, palette.irq, palette.kernelThread, palette.good];
}

const MARGIN = { left: 88, right: 40, top: 12, bottom: 40 } as const;

/** What is drawn, as ECharts takes it. */
export function plotOption(plot: ResultPlot, kind: PlotKind, palette: Palette): ChartOption {
  const colours = seriesColours(palette);
  return {
    animation: false,
    grid: { ...MARGIN, outerBoundsMode: 'none' },
    xAxis: xAxisOf(plot, kind),
    yAxis: {
      id: 'y',
      type: 'value',
      axisLabel: { formatter: labelOf(plot.series[0]?.column) },
      ...stepOf(
        plot.series.flatMap(({ points }) => points.map(([, y]) => y)),
        true,
      ),
    },
    series: plot.series.map(({ column, points }, at) => {
      const shared = { id: `${at}-${column.name}`, silent: true, animation: false, progressive: 0 };
      const data = points.map(([x, y]) => [x, y]);
      const color = colours[at] ?? palette.text;
      if (kind === 'bars') return { ...shared, type: 'bar', data, itemStyle: { color }, barMaxWidth: 32 };
      if (kind === 'line') {
        return { ...shared, type: 'line', data, symbol: 'none', lineStyle: { color, width: 1.5 } };
      }
      return {
        ...shared,
        type: 'scatter',
        data,
        itemStyle: { color },
        symbolSize: data.length > 500 ? 3 : 6,
      };
    }),
  };
}

function xAxisOf({ x, names, series }: ResultPlot, kind: PlotKind): NonNullable<ChartOption['xAxis']> {
  const shared = { id: 'x', name: visibleText(x.name), nameLocation: 'middle' as const, nameGap: 24 };
  const splitLine = { show: false };
  if (names !== undefined) {
    const label = { hideOverlap: true, width: 120, overflow: 'truncate' as const };
    return { ...shared, type: 'category', data: [...names], axisLabel: label, splitLine };
  }
  const values = series.flatMap(({ points }) => points.map(([at]) => at));
  return {
    ...shared,
    type: 'value',
    axisLabel: { formatter: labelOf(x), hideOverlap: true },
    splitLine,
    ...stepOf(values, kind === 'bars'),
  };
}

/** Ends and steps at round numbers, which are also round times. */
function stepOf(values: readonly number[], fromZero: boolean) {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (low > high) return {};
  const start = fromZero ? Math.min(0, low) : low;
  if (high - start < 5) return {};
  const interval = niceStep((high - start) / 5);
  return {
    interval,
    min: Math.floor(start / interval) * interval,
    max: Math.ceil(high / interval) * interval,
  };
}

function labelOf(column: SqlColumn | undefined): (value: number) => string {
  if (column?.unit === 'ns') return measureOf('ns').tick;
  return (value) => (Number.isInteger(value) ? groupDigits(value) : value.toString());
}
