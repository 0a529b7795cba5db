// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { measureOf } from '../../lib/measure';
import { spread } from '../../lib/spread.fixture';
import { renderPage } from '../testing/renderPage';
import { DistributionChart } from './DistributionChart';
import { distributionPlot } from './distribution';

vi.mock('../chart/Chart', () => import('../testing/FlatChart'));

afterEach(cleanup);

it.each([
  ['ns', 'histogram', 'samples by duration'],
  ['ticks', 'histogram', 'samples by clock ticks'],
  ['none', 'histogram', 'samples by value'],
  ['ticks', 'percentiles', 'the clock ticks that a share of the samples stays below'],
] as const)('says of values in %s as a %s what the values are', async (unit, form, hint) => {
  const plot = distributionPlot([spread(null, [1_500, 1_600, 20_000])], {
    form,
    scale: 'log',
    hasEqualBars: false,
    measure: measureOf(unit),
  });
  renderPage(<DistributionChart plot={plot} label="Wakeup latency" renderedMark={undefined} />, {
    at: '/',
    answers: {},
  });
  expect((await screen.findByTestId('distribution-hover')).textContent).toContain(hint);
});
