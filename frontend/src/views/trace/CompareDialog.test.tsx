// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { ComparableTrace } from '../../api/comparable';
import { renderPage } from '../../components/testing/renderPage';
import { TRACE } from '../../components/testing/trace.fixture';
import { CompareDialog } from './CompareDialog';

afterEach(cleanup);

const trace = (id: string, more: Partial<ComparableTrace> = {}) => ({
  id,
  name: `night ${id}`,
  labels: {},
  likeness: 'tracer',
  label: null,
  ...more,
});

async function show(count: number) {
  const items = Array.from({ length: count }, (_, at) => trace(`t${at}`));
  const last = trace('last', { labels: { board: 'rpi5' }, likeness: 'opened' });
  renderPage(<CompareDialog trace={TRACE} onClose={() => undefined} />, {
    at: '/',
    answers: { '/comparable': { labels: {}, items: [...items, last] } },
  });
  return within(await screen.findByRole('table', { name: 'Traces to compare with' }));
}

it('lists the most alike, and the others on request', async () => {
  const table = await show(30);
  expect(table.getAllByRole('link')).toHaveLength(20);
  fireEvent.click(screen.getByRole('button', { name: 'Show 11 more' }));
  expect(table.getAllByRole('link')).toHaveLength(31);
  expect(table.getByRole('cell', { name: 'opened recently' })).toBeTruthy();
});

it('finds a trace by words of its name and labels', async () => {
  const table = await show(30);
  const search = screen.getByRole('searchbox', { name: 'Search these traces' });
  fireEvent.change(search, { target: { value: 'RPI5 night' } });
  expect(table.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['night last']);
  fireEvent.change(search, { target: { value: 'rpi4' } });
  expect(screen.getByText('None of these traces has such a name or label.')).toBeTruthy();
});

it('says where all others are, once there are more than it can list', async () => {
  await show(99);
  expect(screen.getByRole('link', { name: 'list of traces' }).getAttribute('href')).toBe('/');
});
