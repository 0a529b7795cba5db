// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { CASE, CHAIN, CYCLIC, KINDS } from '../../api/latencies.fixture';
import { KeysProvider } from '../../components/keys/keys';
import '../../lib/testing/patience';
import CaseView from './CasePage';

// Painting needs a canvas, which jsdom has not; the lanes have tests of their own.
vi.mock('./CaseTimeline', () => ({ default: () => null }));
vi.mock('./CaseCalls', () => ({ default: () => null }));

const TRACE = {
  id: 'gq3tqmzqmjrd',
  name: 'break',
  status: 'ready',
  error: null,
  kernel: null,
  origin_ns: '0',
};
const MILDER = { ...CYCLIC, id: 'cyclic-1213@7', headline: 'milder' };

const ANSWERS: Readonly<Record<string, unknown>> = {
  '': TRACE,
  '/latencies': { items: [CYCLIC, MILDER], next: null },
  '/latencies/kinds': { items: KINDS },
  [`/latencies/${encodeURIComponent(CASE.id)}`]: CASE,
  [`/latencies/${encodeURIComponent('cyclic-1213@9')}`]: {
    ...CASE,
    id: 'cyclic-1213@9',
    detail: '',
    flags: ['migrated', 'ends_at_switch'],
  },
  [`/latencies/${encodeURIComponent(MILDER.id)}`]: { ...CASE, id: MILDER.id, flags: ['starting'] },
  [`/latencies/${encodeURIComponent('cyclic-1213@6')}`]: {
    ...CASE,
    id: 'cyclic-1213@6',
    events: CASE.events.map((event, index) =>
      index === 0 ? { ...event, comm: 'cyclictest', pid: 1213 } : event,
    ),
    blame: CASE.blame.map((row, index) =>
      index === 0 ? { ...row, where: 'in cyclictest-1213', pid: 1213 } : row,
    ),
  },
  [`/latencies/${encodeURIComponent('call-cpu1@7.0')}`]: { ...CASE, id: 'call-cpu1@7.0', call: '7.0' },
  [`/latencies/${encodeURIComponent('cyclic-1213@8')}`]: { ...CASE, id: 'cyclic-1213@8', why: CHAIN },
};

/** jsdom lays nothing out, so there is nothing to measure. */
class Unmeasured {
  observe(): void {}
  disconnect(): void {}
}

function show(caseId: string, search = '', trace: object = TRACE) {
  vi.stubGlobal('scrollTo', () => undefined);
  vi.stubGlobal('ResizeObserver', Unmeasured);
  vi.stubGlobal('fetch', (url: string) => {
    const path = new URL(url, 'http://host').pathname.replace(`/api/v1/traces/${TRACE.id}`, '');
    const body = (path === '' ? trace : ANSWERS[path]) ?? {
      title: 'There is no such case',
      code: 'no_such_case',
    };
    return Promise.resolve(new Response(JSON.stringify(body), { status: path in ANSWERS ? 200 : 404 }));
  });
  const root = createRootRoute();
  const route = createRoute({
    getParentRoute: () => root,
    path: '/t/$trace/cases/$case',
    component: CaseView,
  });
  const history = createMemoryHistory({ initialEntries: [`/t/${TRACE.id}/cases/${caseId}${search}`] });
  const router = createRouter({ routeTree: root.addChildren([route]), history });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
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

it('tells how late, through which stages and because of what, and leads to the next', async () => {
  const router = show(CASE.id);
  expect((await screen.findByRole('heading', { level: 1 })).textContent?.replaceAll('\u00a0', ' ')).toBe(
    CASE.headline,
  );
  const stages = within(screen.getByRole('list', { name: 'Stages' }));
  expect(stages.getByRole('button', { name: /irq entry → handler 9\.000\s*µs/ })).toBeTruthy();
  expect(stages.getAllByRole('listitem').at(-1)?.textContent).toMatch(/= 18\.55\s*µs/);
  const blame = within(screen.getByRole('table', { name: 'Where the time went' }));
  expect(
    blame.getByRole('row', { name: /hard interrupt local_timer CPU 1 12\.45\s*µs 67\.1\s*%/ }),
  ).toBeTruthy();
  expect(screen.getByText('<b>evil</b>')).toBeTruthy();
  expect(await screen.findByText('the worst of 1,500')).toBeTruthy();
  await screen.findByRole('link', { name: /^next/ });
  fireEvent.keyDown(document.body, { key: 'j' });
  await waitFor(() => expect(router.state.location.pathname).toContain('cyclic-1213@7'));
});

it('says no unit of time of a clock that only counts', async () => {
  show(MILDER.id, '', { ...TRACE, time_unit: 'ticks' });
  expect(await screen.findByRole('link', { name: /previous 18,551 clock ticks K$/ })).toBeTruthy();
  expect(screen.getByRole('columnheader', { name: 'since start (clock ticks)' })).toBeTruthy();
  // The page's own numbers have this space before their unit, sentences of the core another.
  expect(document.body.textContent).not.toMatch(/\d\u202f(?:ns|µs|ms|s)(?!\p{L})/u);
});

it('says why a long case is ranked last, and how long the ones beside it are', async () => {
  show(MILDER.id);
  expect(await screen.findByText('#2 of 1,500')).toBeTruthy();
  expect(screen.getByRole('link', { name: /previous 18\.55\sµs K$/ }).getAttribute('href')).toContain(
    CYCLIC.id,
  );
  expect(screen.getByRole('link', { name: 'Ranked last' })).toBeTruthy();
});

it('leads from the task of an event, and of a cause, to its lane around the case', async () => {
  show('cyclic-1213@6');
  const events = within(await screen.findByRole('table', { name: 'Events around the case' }));
  // The idle task has no lane.
  const [task, ...others] = events.getAllByRole('link', { name: 'cyclictest-1213' });
  const lane = /^\/t\/gq3tqmzqmjrd\/timeline\?.*tasks=(%22)?1213/;
  expect([task?.getAttribute('href'), others]).toEqual([expect.stringMatching(lane), []]);
  const blame = within(screen.getByRole('table', { name: 'Where the time went' }));
  expect(blame.getByRole('link', { name: 'cyclictest-1213' }).getAttribute('href')).toMatch(lane);
});

const litEvents = () =>
  [...document.querySelectorAll('tr[data-lit]')].map((row) => row.children[5]?.textContent);

it('leads from a measured case to the overview, where a trace is tied to it, and to no timeline', async () => {
  show(CASE.id, '', { ...TRACE, is_measurement: true });
  const note = await screen.findByText(/its file has no record of what ran/);
  expect(within(note).getByRole('link').getAttribute('href')).toBe(`/t/${TRACE.id}`);
  expect(screen.queryByRole('link', { name: /timeline/ })).toBeNull();
  expect(screen.queryByRole('table', { name: 'Where the time went' })).toBeNull();
});

it('tells why link by link, lights the events of each, and keeps the picked one in the address', async () => {
  const router = show('cyclic-1213@8');
  const chain = within(await screen.findByRole('list', { name: 'Chain' }));
  const stood = chain.getByRole('button', { name: /^CPU\s1 stood still inside local_timer$/ });
  expect(litEvents()).toEqual([]);
  fireEvent.focus(stood);
  expect(litEvents()).toEqual(['local_timer_entry', 'hrtimer_expire_entry']);
  fireEvent.blur(stood);
  expect(litEvents()).toEqual([]);
  fireEvent.click(stood);
  await waitFor(() => expect(router.state.location.search).toMatchObject({ lit: 'link-2' }));
  expect(stood.getAttribute('aria-pressed')).toBe('true');
  expect(litEvents()).toHaveLength(2);
  expect(chain.getByText('no record of what woke hog-170')).toBeTruthy();
  // What took the time by cause is still there, but no longer the answer.
  expect(screen.getByText('Where the time went', { selector: 'h2' }).closest('summary')).not.toBeNull();
});

it('opens a link with what its sender had picked', async () => {
  show('cyclic-1213@8', '?v=1&lit=link-3.1');
  const deep = await screen.findByRole('button', { name: 'no record of what woke hog-170' });
  expect(deep.getAttribute('aria-pressed')).toBe('true');
});

it('says when there is no such case', async () => {
  show('wakeup-1@2');
  expect(await screen.findByRole('heading', { name: 'There is no such case' })).toBeTruthy();
});

it.each([
  [3, '/t/gq3tqmzqmjrd/calls', 'Open in Calls'],
  [9, '/t/gq3tqmzqmjrd/timeline', 'Open in timeline'],
])('a call of a recording with %i slices, 3 of them calls, opens at %s', async (slices, path, words) => {
  const router = show('call-cpu1@7.0', '', { ...TRACE, slice_count: slices, call_count: 3 });
  const link = await screen.findByRole('link', { name: new RegExp(words) });
  expect(link.getAttribute('href')).toMatch(new RegExp(`^${path}\\?`));
  fireEvent.keyDown(document.body, { key: 't' });
  await waitFor(() => expect(router.state.location.pathname).toBe(path));
});

it('says what each mark of the case means', async () => {
  show('cyclic-1213@9');
  fireEvent.click(await screen.findByText('What was measured'));
  fireEvent.focus(await screen.findByRole('link', { name: 'ends_at_switch' }));
  await waitFor(() =>
    expect(screen.getByRole('tooltip').textContent).toContain('It ends at the switch to the task'),
  );
});
