import { expect, test } from 'vitest';
import { SERIES } from './series.fixture';
import { timeTicks } from '../chart/timeTicks';
import { PALETTES } from '../../lib/palette';
import { seriesPlot } from './series';
import { seriesOption } from './seriesOption';

const window = { start: 0, end: 2_000_001 };
const plot = seriesPlot(SERIES, window, 'log', []);
const palette = PALETTES.dark;

test('every point of every CPU is drawn, the longest in orange', () => {
  const option = seriesOption({
    plot,
    ticks: timeTicks(window, 800),
    palette,
    gutter: 100,
    target: 'screen',
  });
  const series = [option.series ?? []].flat();
  expect(series.map((one) => (Array.isArray(one.data) ? one.data.length : 0))).toEqual([2, 1, 1]);
  expect(series.at(-1)).toMatchObject({
    xAxisIndex: 1,
    symbolSize: 9,
    itemStyle: { color: palette.abnormal },
    data: [[995_449, Math.log10(18_551)]],
  });
});

test('the points of a CPU are one shape, and the longest is another over them', () => {
  const option = seriesOption({ plot, ticks: { at: [] }, palette, gutter: 100, target: 'screen' });
  const series = [option.series ?? []].flat();
  expect(series).toMatchObject([{ large: true }, { large: true }, { id: 'worst' }]);
  expect(series.at(-1)).not.toHaveProperty('large');
});

test('rows do not overlap, and a picture names them', () => {
  const option = seriesOption({ plot, ticks: { at: [] }, palette, gutter: 100, target: 'picture' });
  const tops = [option.grid ?? []].flat().map((grid) => Number(grid.top));
  expect((tops[1] ?? 0) - (tops[0] ?? 0)).toBe(plot.rowPx);
  expect([option.yAxis ?? []].flat().map((axis) => axis.name)).toEqual(['CPU 0', 'CPU 1']);
});

test.each([
  [6, [0, 1, 2, 3, 4, 5]],
  [20, [0, 8, 16]],
])('the levels of %i CPUs, which are the same for all, are named in the rows %j', (cpuCount, rows) => {
  const lanes = Array.from({ length: cpuCount }, (_, cpu) => ({
    cpu,
    t: [100_000, 200_000],
    duration_ns: [2_000, 900_000],
    count: [1, 1],
    id: ['a', 'b'],
  }));
  const many = seriesPlot({ lanes }, window, 'log', []);
  const option = seriesOption({ plot: many, ticks: { at: [] }, palette, gutter: 100, target: 'screen' });
  const [level] = many.axis.ticks;
  const named = [option.yAxis ?? []].flat().flatMap(({ axisLabel }, row) => {
    const formatter: unknown = axisLabel?.formatter;
    return typeof formatter === 'function' && formatter(level?.at) !== '' ? [row] : [];
  });
  expect(named).toEqual(rows);
});
