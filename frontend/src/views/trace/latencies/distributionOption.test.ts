import { measureOf } from '../../../lib/measure';
import { expect, test } from 'vitest';
import { group } from '../../../api/latencies.fixture';
import { PALETTES } from '../../../lib/palette';
import { distributionPlot } from './distribution';
import { distributionOption, groupColour } from './distributionOption';

const groups = ['CPU 0', 'CPU 1'].map((label) => group(label, [1_500, 1_600, 20_000]));
const choice = { scale: 'log', hasEqualBars: false, measure: measureOf('ns') } as const;

function seriesOf(count: number, form: 'histogram' | 'shelves') {
  const plot = distributionPlot(groups.slice(0, count), { ...choice, form });
  return [distributionOption(plot, 'dark', PALETTES.dark).series ?? []].flat();
}

test('one group is filled, several are lines of different looks', () => {
  expect(seriesOf(1, 'histogram')[0]).toMatchObject({ areaStyle: { color: PALETTES.dark.normal } });
  const [first, second] = seriesOf(2, 'histogram');
  expect(first).not.toHaveProperty('areaStyle');
  expect(first).toMatchObject({ lineStyle: { color: groupColour(0, 'dark'), type: 'solid' } });
  expect(second).toMatchObject({ lineStyle: { color: groupColour(1, 'dark'), type: 'dashed' } });
});

test('counts and sorted samples hold until the next one', () => {
  for (const form of ['histogram', 'shelves'] as const) {
    expect(seriesOf(1, form)[0]).toMatchObject({ step: 'end' });
  }
});
