import type { SqlAnswer, SqlColumn, SqlValue } from '../../api/sql';
import type { ChartOption } from '../../components/chart/echarts';
import type { Palette } from '../../lib/palette';
import { measureOf } from '../../lib/measure';
import { groupDigits } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import type { PlotKind } from '../../viewState/query';
import { isNumber } from './resultCells';
import { resultAxes, type ResultAxis } from './resultAxes';

/** What can be drawn of an answer: its first column along the bottom, and the numbers beside it. */
export interface ResultPlot {
  readonly x: SqlColumn;
  /** Names along the bottom, where the first column holds no numbers. */
  readonly names: readonly string[] | undefined;
  readonly series: readonly PlotSeries[];
  /** What is drawn of each row, in the order along the bottom. */
  readonly places: readonly Place[];
}

export interface Place {
  /** Its row in the answer. */
  readonly row: number;
  readonly x: number;
  /** One for each series; undefined where the row has none. */
  readonly values: readonly (number | undefined)[];
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
  const xAt = hasNames ? telling(columns, rows) : first;
  const x = columns[xAt];
  const ys = numbers.filter((at) => at !== xAt);
  // One axis has one unit: times if there are any, else that of the first number.
  const units = ys.map((at) => columns[at]?.unit);
  const unit = units.includes('ns') ? 'ns' : units[0];
  if (x === undefined || ys.length === 0) return undefined;
  const drawn = rows.slice(0, MOST_POINTS);
  const ofUnit = ys
    .map((at) => ({ at, column: columns[at] }))
    .filter((one): one is { at: number; column: SqlColumn } => one.column?.unit === unit)
    .slice(0, MOST_SERIES);
  const heights = ofUnit.map(({ at }) => at);
  const places = placesOf(drawn, hasNames ? undefined : xAt, heights);
  return {
    x,
    names: hasNames ? drawn.map((row) => visibleText(String(row[xAt] ?? '–'))) : undefined,
    series: ofUnit.map(({ column }, index) => ({ column, points: pointsOf(places, index) })),
    places,
  };
}

/** The first column of names that tell rows apart: of one trace, its id is the same in all of them. */
function telling(columns: readonly SqlColumn[], rows: SqlAnswer['rows']): number {
  const at = columns.findIndex(
    (column, index) => !isNumber(column) && rows.some((row) => row[index] !== rows[0]?.[index]),
  );
  return Math.max(0, at);
}

/** Numbers that name something are no heights. */
function isDrawn(column: SqlColumn): boolean {
  return isNumber(column) && !/^(pid|tgid|id|parent|seq|rank|depth|flags)$/.test(column.name);
}

/** The rows that have a point in a series: at their numbers, or else one after the other. */
function placesOf(
  rows: readonly (readonly SqlValue[])[],
  xAt: number | undefined,
  heights: readonly number[],
): readonly Place[] {
  const places: Place[] = [];
  for (const [at, row] of rows.entries()) {
    const x = xAt === undefined ? at : row[xAt];
    const values = heights.map((index) => numberOf(row[index]));
    if (typeof x === 'number' && values.some((value) => value !== undefined))
      places.push({ row: at, x, values });
  }
  return places.toSorted((one, other) => one.x - other.x);
}

const numberOf = (value: SqlValue | undefined) => (typeof value === 'number' ? value : undefined);

/** As rows follow each other, so that a line goes from each to the next. */
function pointsOf(places: readonly Place[], index: number): PlotSeries['points'] {
  return places
    .toSorted((one, other) => one.row - other.row)
    .flatMap(({ x, values }) => {
      const y = values[index];
      return y === undefined ? [] : [[x, y] as const];
    });
}

/** The colours of the series, in their order. */
export function seriesColours(palette: Palette): readonly string[] {
  return [palette.normal, palette.abnormal, palette.irq, palette.kernelThread, palette.good];
}

/** Pixels around the plot, for the labels of its axes. */
export const MARGIN = { left: 88, right: 40, top: 12, bottom: 40 } as const;

/** What is drawn, as ECharts takes it. */
export function plotOption(plot: ResultPlot, kind: PlotKind, palette: Palette): ChartOption {
  const colours = seriesColours(palette);
  const axes = resultAxes(plot, kind);
  return {
    animation: false,
    grid: { ...MARGIN, outerBoundsMode: 'none' },
    xAxis: xAxisOf(plot, axes.x),
    yAxis: { id: 'y', ...valueAxis(axes.y, plot.series[0]?.column) },
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

function xAxisOf({ x, names }: ResultPlot, axis: ResultAxis): NonNullable<ChartOption['xAxis']> {
  const shared = { id: 'x', name: visibleText(x.name), nameLocation: 'middle' as const, nameGap: 24 };
  const splitLine = { show: false };
  if (names !== undefined) {
    const label = { hideOverlap: true, width: 120, overflow: 'truncate' as const };
    return { ...shared, type: 'category', data: [...names], axisLabel: label, splitLine };
  }
  return { ...shared, ...valueAxis(axis, x), splitLine };
}

function valueAxis({ min, max, ticks }: ResultAxis, column: SqlColumn | undefined) {
  const customValues = [...ticks];
  return {
    type: 'value' as const,
    min,
    max,
    // The ends are those that the pointer is read by, with bars or without.
    containShape: false,
    axisTick: { customValues },
    axisLabel: { customValues, formatter: labelOf(column), hideOverlap: true },
  };
}

function labelOf(column: SqlColumn | undefined): (value: number) => string {
  if (column?.unit === 'ns') return measureOf('ns').tick;
  return (value) =>
    Number.isInteger(value) ? groupDigits(value) : Number(value.toPrecision(SURE_DIGITS)).toString();
}

/** Without what binary fractions add. */
const SURE_DIGITS = 12;
