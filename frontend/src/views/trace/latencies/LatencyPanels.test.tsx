// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { CYCLIC, INTERFERENCE, KINDS, TASKS } from '../../../api/latencies.fixture';
import type { EventField, Trace } from '../../../api/types';
import { KeysProvider } from '../../../components/keys/keys';
import '../../../lib/testing/patience';
import { parseSearch, printSearch } from '../../../viewState/search';
import { LatencyPanels } from './LatencyPanels';

// Painting needs a canvas, which jsdom has not; what is painted has tests of its own.
vi.mock('./LatencyCharts', () => ({
  default: ({ kind: { label } }: { kind: { label: string } }) => <p>{`charts of ${label}`}</p>,
}));

const TRACE = { id: 'gq3tqmzqmjrd', name: 'break', duration_ns: 20_000_000, event_count: 9 } as Trace; // the panels look at no other field

const DELTA: EventField = {
  name: 'hrtimer_cb.delta',
  event: 'hrtimer_cb',
  field: 'delta',
  unit: 'us',
  unit_source: 'event',
  is_sampled: true,
  event_count: 3,
};

const ANSWERS: Readonly<Record<string, unknown>> = {
  '/latencies': { items: [CYCLIC, { ...CYCLIC, id: 'cyclic-1213@7', duration_ns: 9_000 }], next: 'after-1' },
  '/latencies/stats': { unit: 'ns', groups: [{ count: 85 }] },
  '/latencies/kinds': {
    items: [...KINDS, { ...KINDS[0], kind: 'field', count: 3, worst: null, incomplete: [] }],
  },
  '/latencies/tasks': { items: TASKS, is_truncated: false },
  '/interference': INTERFERENCE,
  '/event-fields': { items: [DELTA], next: null },
};

/** What the kinds were asked for with, and how many cases. */
const asked: string[] = [];
const limits: (string | null)[] = [];

function show(query = '') {
  asked.length = 0;
  limits.length = 0;
  vi.stubGlobal('scrollTo', () => undefined);
  vi.stubGlobal('fetch', (url: string) => {
    if (url.includes('/latencies/kinds')) asked.push(url);
    const { pathname, searchParams } = new URL(url, 'http://host');
    const path = pathname.replace(`/api/v1/traces/${TRACE.id}`, '');
    if (path === '/latencies') limits.push(searchParams.get('limit'));
    return Promise.resolve(new Response(JSON.stringify(ANSWERS[path])));
  });
  const root = createRootRoute({ component: () => <LatencyPanels trace={TRACE} /> });
  const router = createRouter({
    routeTree: root,
    history: createMemoryHistory({ initialEntries: [`/${query}`] }),
    parseSearch,
    stringifySearch: printSearch,
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <KeysProvider>
        <RouterProvider router={router as never} /> {/* this router is not the application's */}
      </KeysProvider>
    </QueryClientProvider>,
  );
  return router;
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('lists the worst of each kind, walks them by keys, and says what was not recorded', async () => {
  show();
  const table = within(await screen.findByRole('table', { name: 'Worst cases' }));
  // The second one of a row leads to the case, too, and the third one to its task.
  const links = table.getAllByRole('link').filter((_, at) => at % 3 === 0);
  expect(links.map((link) => link.textContent)).toEqual(['cyclic', 'irqsoff']);
  expect(links[0]?.getAttribute('href')).toBe('/t/gq3tqmzqmjrd/cases/cyclic-1213@2563695109449');
  expect(table.getByText('<b>sh</b>-6462')).toBeTruthy();
  expect(screen.getByText('the worst of each kind')).toBeTruthy();
  fireEvent.keyDown(document.body, { key: 'j' });
  fireEvent.keyDown(document.body, { key: 'j' });
  expect(document.activeElement).toBe(links[1]);
  fireEvent.keyDown(document.body, { key: 'k' });
  expect(document.activeElement).toBe(links[0]);
  expect(screen.getByText('3 more could not be measured')).toBeTruthy();
  expect(screen.getByText(/No samples of timerlat/)).toBeTruthy();
  expect(await screen.findByText('charts of cyclic')).toBeTruthy();
  expect(await screen.findByRole('row', { name: /CPU 0 local_timer 250/ })).toBeTruthy();
});

it('says first what was measured, and keeps the chosen task or class in the address', async () => {
  const router = show();
  const measured = within(await screen.findByRole('table', { name: 'What was measured' }));
  expect(measured.getAllByRole('row')).toHaveLength(2);
  expect(measured.getByRole('row', { name: /cyclictest-1213 rt 80/ })).toBeTruthy();
  expect(measured.getByText('rt 80').getAttribute('title')).toBe('prio 19');
  fireEvent.click(within(screen.getByRole('group', { name: 'class' })).getByRole('button', { name: 'fair' }));
  await waitFor(() => expect(router.state.location.searchStr).toBe('?v=1&priority=fair'));
  await waitFor(() => expect(asked.at(-1)).toContain('priority_class=fair'));
  fireEvent.change(screen.getByRole('combobox', { name: 'task' }), { target: { value: '60' } });
  await waitFor(() => expect(router.state.location.searchStr).toBe('?v=1&task=60'));
  await waitFor(() => expect(asked.at(-1)).toContain('pid=60'));
});

it('keeps the chosen kind and its worst cases in the address', async () => {
  const router = show('?worst=kind');
  const table = within(await screen.findByRole('table', { name: 'Worst cases' }));
  await waitFor(() => expect(table.getAllByRole('link')).toHaveLength(6));
  fireEvent.click(
    within(screen.getByRole('group', { name: 'kind' })).getByRole('button', { name: 'irqsoff' }),
  );
  await waitFor(() => expect(router.state.location.searchStr).toBe('?v=1&kind=irqsoff&worst=kind'));
  expect(await screen.findByText('charts of irqsoff')).toBeTruthy();
});

it('says how many cases a band has, and lists more of them', async () => {
  const router = show('?worst=kind&band=7000-10000');
  expect(await screen.findByText('the 2 worst of 85 from 7.000 µs to 9.999 µs')).toBeTruthy();
  const lists = screen.getByRole('combobox', { name: 'of' });
  expect(lists).toHaveProperty('value', 'cyclic');
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(limits).toEqual(['20', '100']));
  // Another list begins with as many as one looks at.
  fireEvent.change(lists, { target: { value: 'irqsoff' } });
  await waitFor(() => expect(router.state.location.searchStr).toBe('?v=1&kind=irqsoff&worst=kind'));
  await waitFor(() => expect(limits.at(-1)).toBe('20'));
});

it('shows one field of events in the unit that is chosen', async () => {
  const router = show();
  const fields = await screen.findByRole('combobox', { name: 'event field' });
  await waitFor(() => expect(fields).toHaveProperty('disabled', false));
  fireEvent.change(fields, { target: { value: 'hrtimer_cb.delta' } });
  expect(await screen.findByText('charts of hrtimer_cb.delta')).toBeTruthy();
  const units = within(screen.getByRole('group', { name: 'in' }));
  expect(units.getByRole('button', { name: 'µs' }).getAttribute('aria-pressed')).toBe('true');
  fireEvent.click(units.getByRole('button', { name: 'no unit' }));
  await waitFor(() =>
    expect(router.state.location.searchStr).toBe(
      '?v=1&kind=field&field=hrtimer_cb.delta&unit=none&worst=kind',
    ),
  );
  fireEvent.change(fields, { target: { value: '' } });
  await waitFor(() => expect(router.state.location.searchStr).toBe(''));
});

it('says when a link names a kind that the trace has nothing of', async () => {
  show('?kind=timerlat');
  expect(
    await screen.findByText('This trace has no latencies of the kind timerlat; showing cyclic.'),
  ).toBeTruthy();
});
