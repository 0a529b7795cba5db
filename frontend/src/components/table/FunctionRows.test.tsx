// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../testing/renderPage';
import type { FunctionRow } from './functionColumns';
import { FunctionRows } from './FunctionRows';

afterEach(cleanup);

const row = (symbol: string, total_ns: number): FunctionRow => ({
  symbol,
  module: null,
  count: 2,
  total_ns,
  self_ns: total_ns / 2,
  min_ns: 1,
  p50_ns: 2,
  p99_ns: 3,
  max_ns: 4,
  percentile_error_ppm: 0,
  slowest: null,
});

it('has a bar for the share of the largest total, and sorts only by what the server can', async () => {
  const onSort = vi.fn<(sort: string) => void>();
  const rows = [row('schedule', 4000), row('ktime_get', 1000)];
  renderPage(<FunctionRows traceId="a" rows={rows} sort="-total" onSort={onSort} skeleton={0} />, {
    at: '/',
    answers: {},
  });
  await screen.findByText('schedule');
  const totals = screen.getAllByRole('row').slice(1);
  const widths = totals.map((one) => one.querySelector<HTMLElement>('[data-shares] span span')?.style.width);
  expect(widths).toEqual(['100%', '25%']);
  fireEvent.click(screen.getByRole('button', { name: /Self/ }));
  expect(onSort.mock.calls).toEqual([['-self']]);
});

it('leads from a name to the calls of that function, not to a list of it alone', async () => {
  renderPage(
    <FunctionRows
      traceId="a"
      rows={[row('schedule', 4000)]}
      sort="-total"
      onSort={() => undefined}
      skeleton={0}
    />,
    {
      at: '/',
      answers: {},
    },
  );
  const link = await screen.findByRole('link', { name: 'schedule' });
  expect(link.getAttribute('href')).toBe('/t/a/calls?v=1&show=functions&of=schedule');
});
