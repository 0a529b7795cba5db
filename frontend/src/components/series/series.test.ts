import { expect, test } from 'vitest';
import { SERIES } from './series.fixture';
import { MOST_ROWS, pixelOf, pointNear, ROW_GAP_PX, seriesHeight, seriesPlot } from './series';

const WHOLE = { start: 0, end: 2_000_001 };

test('the longest in sight is found, and the axis holds it', () => {
  const plot = seriesPlot(SERIES, WHOLE, 'log', []);
  expect(plot.worst).toEqual({ lane: 1, index: 0 });
  expect(plot.sampleCount).toBe(3);
  expect(plot.axis.max).toBeGreaterThan(Math.log10(18_551));
});

test('of numbers that count work, the smallest in sight is the worst', () => {
  expect(seriesPlot(SERIES, WHOLE, 'log', [], 'smallest').worst).toEqual({ lane: 0, index: 0 });
  const later = { start: 500_000, end: 2_000_001 };
  expect(seriesPlot(SERIES, later, 'log', [], 'smallest').worst).toEqual({ lane: 0, index: 1 });
});

test('zoomed in, the range is that of what is in sight', () => {
  const plot = seriesPlot(SERIES, { start: 0, end: 500_000 }, 'linear', []);
  expect(plot.worst).toEqual({ lane: 0, index: 0 });
  expect(plot.axis.max).toBeLessThan(3_000);
});

test('a stretch without samples still has axes', () => {
  const plot = seriesPlot(SERIES, { start: 1_500_000, end: 1_600_000 }, 'log', []);
  expect([plot.worst, plot.sampleCount]).toEqual([undefined, 0]);
  expect(plot.axis.max).toBeGreaterThan(plot.axis.min);
});

test('only the chosen CPUs have a row, and of many those with the longest', () => {
  expect(seriesPlot(SERIES, WHOLE, 'log', [1]).lanes.map(({ cpu }) => cpu)).toEqual([1]);
  const lanes = Array.from({ length: 60 }, (_, cpu) => ({
    cpu,
    t: [1],
    duration_ns: [cpu],
    count: [1],
    id: ['x'],
  }));
  const many = seriesPlot({ ...SERIES, lanes }, WHOLE, 'log', []);
  expect(many.lanes).toHaveLength(MOST_ROWS);
  expect(many.lanes[0]?.cpu).toBe(60 - MOST_ROWS);
});

test.each([1, 2, 5, 17, 48, 60])('labels of the axis do not touch with %i CPUs', (count) => {
  for (const most of [11_000, 1_100_000, 6_500_000, 90]) {
    for (const scale of ['log', 'linear'] as const) {
      const lanes = Array.from({ length: count }, (_, cpu) => ({
        cpu,
        t: [1, 2],
        duration_ns: [most, Math.floor(most / (1 + cpu * 30))],
        count: [1, 1],
        id: ['x', 'y'],
      }));
      const { axis, rowPx } = seriesPlot({ ...SERIES, lanes }, WHOLE, scale, []);
      const levels = axis.ticks.map(
        ({ at }) => ((at - axis.min) / (axis.max - axis.min)) * (rowPx - ROW_GAP_PX),
      );
      const gaps = levels.slice(1).map((level, at) => level - (levels[at] ?? 0));
      expect(levels.length).toBeGreaterThan(1);
      expect(Math.min(18, ...gaps)).toBeGreaterThanOrEqual(18 - 1e-6);
    }
  }
});

test.each([1, 2, 3, 7])('the rows of those of %i CPUs that have points are as high as all', (cpuCount) => {
  const { heightPx } = seriesPlot({ ...SERIES, lanes: SERIES.lanes.slice(0, 1), cpuCount }, WHOLE, 'log', []);
  expect(heightPx).toBe(seriesHeight(cpuCount));
});

test('a point is found where it is painted', () => {
  const plot = seriesPlot(SERIES, WHOLE, 'log', []);
  for (const point of [
    { lane: 0, index: 1 },
    { lane: 1, index: 0 },
  ]) {
    const pixel = pixelOf(plot, 1000, point);
    expect(pixel && pointNear(plot, 1000, pixel.x + 3, pixel.y - 3)).toEqual(point);
  }
  expect(pointNear(plot, 1000, 700, 30)).toBeUndefined();
});

test('what began before the recording is drawn at its beginning', () => {
  const lanes = [{ cpu: 0, t: [-5_665_814, 10], duration_ns: [6_209_814, 5], count: [1, 1], id: ['x', 'y'] }];
  const plot = seriesPlot({ ...SERIES, lanes }, { start: 0, end: 688_000 }, 'log', []);
  expect(plot.sampleCount).toBe(2);
  expect(pixelOf(plot, 1000, { lane: 0, index: 0 })?.x).toBe(0);
});
