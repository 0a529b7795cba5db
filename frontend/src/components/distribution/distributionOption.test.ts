import { measureOf } from '../../lib/measure';
import { expect, test } from 'vitest';
import { spread } from '../../lib/spread.fixture';
import { PALETTES } from '../../lib/palette';
import { taskLineColour } from '../../lib/colour';
import { distributionPlot, taskOf } from './distribution';
import { distributionOption, groupColour } from './distributionOption';

const groups = ['CPU 0', 'CPU 1'].map((label) => spread(label, [1_500, 1_600, 20_000]));
const choice = { scale: 'log', hasEqualBars: false, measure: measureOf('ns') } as const;

function seriesOf(count: number, form: 'histogram' | 'shelves') {
  const plot = distributionPlot(groups.slice(0, count), { ...choice, form });
  return [distributionOption(plot, 'dark', PALETTES.dark).series ?? []].flat();
}

const linesOf = (count: number, form: 'histogram' | 'shelves') =>
  seriesOf(count, form).filter(({ type }) => type === 'line');

test('one group is filled, several are lines of different looks', () => {
  expect(seriesOf(1, 'histogram')[0]).toMatchObject({ areaStyle: { color: PALETTES.dark.normal } });
  const [first, second] = linesOf(2, 'histogram');
  expect(first).toMatchObject({ areaStyle: { opacity: 0 } });
  expect(first).toMatchObject({ lineStyle: { color: groupColour(0, 'dark'), type: 'solid' } });
  expect(second).toMatchObject({ lineStyle: { color: groupColour(1, 'dark'), type: 'dashed' } });
});

test('the line of a task has the hue that its slices have, whatever its place', () => {
  const task = { comm: 'cyclictest', pid: 371 };
  expect(groupColour(0, 'dark', task)).toBe(taskLineColour('cyclictest', 'dark', 371));
  expect(groupColour(5, 'dark', task)).toBe(groupColour(0, 'dark', task));
  expect(groupColour(0, 'dark', { comm: 'ktimers/1', pid: 34 })).toBe(PALETTES.dark.kernelThread);
  expect(taskOf({ group: { name: 'pid', label: 'cyclictest-371' } })).toEqual(task);
  expect(taskOf({ group: { name: 'cpu', label: 'CPU-1' } })).toBeUndefined();
});

test('counts and sorted samples hold until the next one', () => {
  for (const form of ['histogram', 'shelves'] as const) {
    expect(seriesOf(1, form)[0]).toMatchObject({ step: 'end' });
  }
});

const namesOf = (count: number) =>
  seriesOf(count, 'histogram').filter(({ id }) => `${id}`.startsWith('name'));

test('of several curves each has its name at itself', () => {
  expect(namesOf(2)).toMatchObject([{ label: { formatter: 'CPU 0' } }, { label: { formatter: 'CPU 1' } }]);
  expect(namesOf(1)).toEqual([]);
});

test('names of curves that end at one point are under each other', () => {
  const plot = distributionPlot(groups, { ...choice, form: 'shelves' });
  const series = [distributionOption(plot, 'dark', PALETTES.dark).series ?? []].flat();
  const names = series.filter(({ id }) => `${id}`.startsWith('name'));
  expect(names).toMatchObject([{ labelLayout: { dx: 0, dy: 0 } }, { labelLayout: { dx: 0, dy: 16 } }]);
});

test('texts of shelves at an edge reach into the plot, and are read over lines', () => {
  const shelf = { group: 'CPU 0', value: 1_500, text: '1,500' };
  const marks = [
    { ...shelf, from: 0, to: 0.12 },
    { ...shelf, from: 0.2, to: 0.8 },
    { ...shelf, from: 0.85, to: 1 },
  ];
  const plot = distributionPlot(groups, { ...choice, form: 'shelves', marks });
  const series = [distributionOption(plot, 'dark', PALETTES.dark).series ?? []].flat();
  const texts = series.filter(({ id }) => `${id}`.startsWith('mark'));
  expect(texts).toMatchObject(
    ['left', 'center', 'right'].map((align) => ({
      label: { align, textBorderColor: PALETTES.dark.ground },
    })),
  );
});

test('both axes say what they count', () => {
  const plot = distributionPlot(groups, { ...choice, form: 'histogram' });
  const option = distributionOption(plot, 'dark', PALETTES.dark);
  expect([option.xAxis, option.yAxis]).toMatchObject([{ name: 'duration' }, { name: 'samples' }]);
});

test('a long label at the end of the axis of durations ends there, too', () => {
  const plot = distributionPlot(groups, { ...choice, form: 'histogram' });
  const alignOf = (at: number, label: string) => {
    const x = { ...plot.x, min: 0, max: 100, ticks: [{ at, label }] };
    return distributionOption({ ...plot, x }, 'dark', PALETTES.dark).xAxis;
  };
  expect(alignOf(100, '20.002 µs')).toMatchObject({ axisLabel: { alignMaxLabel: 'right' } });
  expect(alignOf(80, '20.002 µs')).not.toMatchObject({ axisLabel: { alignMaxLabel: 'right' } });
  expect(alignOf(100, '1 ms')).not.toMatchObject({ axisLabel: { alignMaxLabel: 'right' } });
});
