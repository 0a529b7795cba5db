// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderPage } from '../../components/testing/renderPage';
import ExperimentsView from './ExperimentsView';

afterEach(cleanup);

const baseline = (slug: string, name: string) => ({
  slug,
  name,
  note: '',
  variant: { traces: ['abc', 'def'], labels: {} },
  where: { cpu: null, comm: null },
  created_at: '2026-11-21T02:30:00Z',
  changed_at: '2026-11-21T02:30:00Z',
});

const shown = (items: readonly unknown[]) =>
  renderPage(<ExperimentsView />, {
    at: '/experiments?show=baselines',
    answers: { '/baselines': { items }, '/experiments': { items: [], total: 0 } },
  });

it('lists baselines with what they hold, and the way to their trends', async () => {
  shown([baseline('green', 'Last green'), baseline('old', 'Before 6.12')]);
  const link = await screen.findByRole('link', { name: 'Last green' });
  expect(link.getAttribute('href')).toBe('/trend?v=2&traces=abc,def&baseline=green');
  expect(screen.getAllByRole('row')[1]?.textContent).toContain('2 traces');
  fireEvent.click(screen.getByRole('button', { name: 'Delete Before 6.12' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText(/Checks that name old can no longer be decided/)).toBeDefined();
});

it('says how a baseline is made where there is none', async () => {
  shown([]);
  expect(await screen.findByRole('heading', { name: 'No baselines yet' })).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'comparisons' }));
  expect(await screen.findByRole('heading', { name: 'No experiments yet' })).toBeDefined();
});
