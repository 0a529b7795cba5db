// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../components/testing/renderPage';
import { TRACE } from '../../components/testing/trace.fixture';
import { FactsTable } from './FactsTable';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it.each([
  ['ns', '0.000000003\u202fs'],
  ['ticks', '3'],
])('has the stamp of the first record as the file has it, of a clock in %s', async (time_unit, stamp) => {
  renderPage(<FactsTable trace={{ ...TRACE, time_unit, origin_ns: '3' }} />, {
    at: '/t/abcdefghijkl',
    answers: { '/formats': { items: [] } },
  });
  const name = await screen.findByText('first record');
  expect(name.nextElementSibling?.textContent).toBe(stamp);
});
