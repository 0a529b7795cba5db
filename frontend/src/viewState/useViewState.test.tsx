// @vitest-environment jsdom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, render, screen } from '@testing-library/react';
import { useEffect } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { textField } from './fields';
import { parseSearch, printSearch } from './search';
import { useViewState, type SetViewState } from './useViewState';
import { viewSpec } from './viewSpec';
import '../lib/testing/patience';

interface State {
  readonly q: string;
}

const spec = viewSpec<State>({ q: textField() });
const offered = vi.fn<(setState: SetViewState<State>) => void>();
const setOnList: SetViewState<State> = (patch) => offered.mock.lastCall?.[0](patch);

function List() {
  const [{ q }, setState] = useViewState(spec);
  useEffect(() => offered(setState), [setState]);
  return <p>list of {q}</p>;
}

/** Ends what the slow page waits for, once it waits. */
let arrive: (() => void) | undefined;
const slowly = () => new Promise<void>((resolve) => (arrive = resolve));

async function openList(path = '/') {
  const root = createRootRoute();
  const routes = [
    createRoute({ getParentRoute: () => root, path: '/', component: List }),
    createRoute({ getParentRoute: () => root, path: '/lists/$list', component: List }),
    createRoute({ getParentRoute: () => root, path: '/t/$trace', component: () => <p>trace</p> }),
    createRoute({
      getParentRoute: () => root,
      path: '/slow',
      loader: slowly,
      component: () => <p>slow</p>,
    }),
  ];
  const router = createRouter({
    routeTree: root.addChildren(routes),
    history: createMemoryHistory({ initialEntries: [path] }),
    parseSearch,
    stringifySearch: printSearch,
  });
  // The test's own routes are not the ones that the application registers.
  render(<RouterProvider router={router as never} />);
  await screen.findByText('list of');
  return router;
}

beforeEach(() => void vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined));
afterEach(cleanup);

it('writes what a page sets into its address', async () => {
  const router = await openList();
  act(() => setOnList({ q: 'irq' }));
  await screen.findByText('list of irq');
  expect(router.state.location.href).toBe('/?v=1&q=irq');
});

it('leaves the page where it is scrolled to', async () => {
  await openList();
  vi.mocked(window.scrollTo).mockClear();
  act(() => setOnList({ q: 'irq' }));
  await screen.findByText('list of irq');
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(window.scrollTo).not.toHaveBeenCalled();
});

it('writes nothing for a page that a link has left, before and after the next one is there', async () => {
  const router = await openList();
  const left = act(() => router.navigate({ to: '/t/a' as never }));
  setOnList({ q: 'irq' });
  await left;
  await screen.findByText('trace');
  act(() => setOnList({ q: 'irq' }));
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(router.state.location.href).toBe('/t/a');
});

it('reads its own state for as long as a page is shown, and not that of the next one', async () => {
  const router = await openList();
  act(() => setOnList({ q: 'irq' }));
  await screen.findByText('list of irq');
  void router.navigate({ to: '/slow' as never, search: { q: 'softirq' } as never });
  await vi.waitFor(() => expect(arrive).toBeDefined());
  expect(router.state.location.pathname).toBe('/slow');
  expect(screen.getByText('list of irq')).toBeDefined();
  arrive?.();
  await screen.findByText('slow');
});

it.each(['/lists/a@1', '/lists/a%401', '/lists/a@1/'])(
  'writes the state of %s, however it is written',
  async (path) => {
    const router = await openList(path);
    act(() => setOnList({ q: 'irq' }));
    await screen.findByText('list of irq');
    expect(router.state.location.search).toMatchObject({ q: 'irq' });
  },
);
