import { expect, test } from 'vitest';
import { pointByKey } from './pointKeys';
import { SERIES } from './series.fixture';
import { seriesPlot } from './series';

const plot = seriesPlot(SERIES, { start: 0, end: 2_000_001 }, 'log', []);
const [first, second, worst] = [
  { lane: 0, index: 0 },
  { lane: 0, index: 1 },
  { lane: 1, index: 0 },
];

test('the first key leads to the worst, and arrows from point to point and from row to row', () => {
  expect(pointByKey(plot, undefined, 'ArrowRight')).toEqual(worst);
  expect(pointByKey(plot, first, 'ArrowRight')).toEqual(second);
  expect(pointByKey(plot, second, 'Home')).toEqual(first);
  expect(pointByKey(plot, worst, 'ArrowUp')).toEqual(second);
  expect(pointByKey(plot, first, 'ArrowDown')).toEqual(worst);
});

test('at an edge a key stays where it is, and other keys are not for points', () => {
  expect(pointByKey(plot, second, 'ArrowRight')).toEqual(second);
  expect(pointByKey(plot, first, 'ArrowUp')).toEqual(first);
  expect(pointByKey(plot, first, 'w')).toBeUndefined();
});

test('only points in sight are walked through', () => {
  const zoomed = seriesPlot(SERIES, { start: 900_000, end: 2_000_001 }, 'log', []);
  expect(pointByKey(zoomed, second, 'ArrowLeft')).toEqual(second);
  expect(pointByKey(zoomed, worst, 'ArrowUp')).toEqual(second);
});
