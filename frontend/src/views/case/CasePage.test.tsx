// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { CASE, CYCLIC, KINDS } from '../../api/latencies.fixture';
import { KeysProvider } from '../../components/keys/keys';
import CaseView from './CasePage';

// Painting needs a canvas, which jsdom has not; the lanes have tests of their own.
vi.mock('./CaseTimeline', () => ({ default: () => null }));

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
};

function show(caseId: string) {
  vi.stubGlobal('scrollTo', () => undefined);
  vi.stubGlobal('fetch', (url: string) => {
    const path = new URL(url, 'http://host').pathname.replace(`/api/v1/traces/${TRACE.id}`, '');
    const body = ANSWERS[path] ?? { title: 'There is no such case', code: 'no_such_case' };
    return Promise.resolve(new Response(JSON.stringify(body), { status: path in ANSWERS ? 200 : 404 }));
  });
  const root = createRootRoute();
  const route = createRoute({
    getParentRoute: () => root,
    path: '/t/$trace/cases/$case',
    component: CaseView,
  });
  const history = createMemoryHistory({ initialEntries: [`/t/${TRACE.id}/cases/${caseId}`] });
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
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(CASE.headline);
  const stages = within(screen.getByRole('table', { name: 'Stages' }));
  expect(stages.getByRole('row', { name: /irq entry → handler.*9\.000\s*µs/ })).toBeTruthy();
  expect(stages.getByRole('row', { name: /sum.*= 18\.55\s*µs/ })).toBeTruthy();
  const blame = within(screen.getByRole('table', { name: 'Where the time went' }));
  expect(
    blame.getByRole('row', { name: /hard interrupt local_timer CPU 1 12\.45\s*µs 67\.1\s*%/ }),
  ).toBeTruthy();
  expect(screen.getByText('<b>evil</b>')).toBeTruthy();
  expect(await screen.findByText('the worst of 1,500')).toBeTruthy();
  await screen.findByRole('link', { name: /^next/ });
  fireEvent.keyDown(document.body, { key: 'j' });
  await vi.waitFor(() => expect(router.state.location.pathname).toContain('cyclic-1213@7'));
});

it('says when there is no such case', async () => {
  show('wakeup-1@2');
  expect(await screen.findByRole('heading', { name: 'There is no such case' })).toBeTruthy();
});
