// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../components/testing/renderPage';
import { ResultChart } from './ResultChart';
import { resultPlot } from './resultPlot';

vi.mock('../../components/chart/Chart', () => import('../../components/testing/FlatChart'));

afterEach(cleanup);

const ANSWER = {
  columns: [
    { name: 'comm', type: 'text', unit: null },
    { name: 'count', type: 'int8', unit: null },
    { name: 'max_ns', type: 'int8', unit: 'ns' },
    { name: 'mean_ns', type: 'numeric', unit: 'ns' },
  ],
  rows: [
    ['hackbench', 1_500, 61_400_464, 901_177.083],
    ['ktimers/0', 3, 5_000, null],
  ],
  row_count: 2,
  is_truncated: false,
} as const;

const readout = () => screen.getByTestId('query-hover').textContent.replaceAll('\u202f', ' ');

it('reads the row that the keys or the pointer are at, with names and units', async () => {
  const plot = resultPlot(ANSWER);
  if (plot === undefined) throw new Error('nothing is drawn');
  renderPage(<ResultChart answer={ANSWER} plot={plot} kind="bars" />, { at: '/query', answers: {} });
  const row = await screen.findByRole('slider', { name: 'Row' });
  expect(readout()).toContain('arrow keys go from row to row');

  fireEvent.keyDown(row, { key: 'ArrowRight' });
  expect(readout()).toBe('comm hackbenchmax_ns 61.400464 msmean_ns 901.2 µscount 1,500');
  expect(row.getAttribute('aria-valuetext')).toContain('comm hackbench, max_ns 61.400464');

  row.getBoundingClientRect = () => new DOMRect(0, 0, 1_000, 200);
  fireEvent.pointerMove(row, { clientX: 800, clientY: 0 });
  expect(readout()).toBe('comm ktimers/0max_ns 5 µscount 3');
  fireEvent.pointerLeave(row);
  expect(readout()).toContain('hover over the plot');
});
