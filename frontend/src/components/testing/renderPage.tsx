import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import { parseSearch, printSearch } from '../../viewState/search';
import { KeysProvider } from '../keys/keys';
import { NoticesProvider } from '../notices/notices';
import { KINDS } from '../lanes/timeline.fixture';
import { SearchSlotProvider } from '../search/SearchField';
import '../../lib/testing/patience';

interface PageParts {
  /** The address with its state. */
  readonly at: string;
  /** What the server answers, by the end of the path; a promise for what comes late; a failure (503) where it is missing. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** What every page may ask for. */
const CATALOG = { analyses: [], slice_kinds: KINDS };

/** Renders a page as the application does, in a browser whose every element is 1,000 pixels wide. */
export function renderPage(page: ReactNode, { at, answers }: PageParts): void {
  vi.stubGlobal('fetch', (url: string) => answerTo(url, answers));
  vi.stubGlobal('ResizeObserver', SteadySize);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1000);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(600);
  vi.stubGlobal('scrollTo', () => undefined);
  vi.stubGlobal('matchMedia', () => new SteadyMedia());
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  HTMLDialogElement.prototype.showModal = openDialog;
  const router = createRouter({
    routeTree: createRootRoute({ component: () => page, notFoundComponent: () => page }),
    history: createMemoryHistory({ initialEntries: [at] }),
    parseSearch,
    stringifySearch: printSearch,
  });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <KeysProvider>
        <NoticesProvider>
          <SearchSlotProvider>
            <RouterProvider router={router} />
          </SearchSlotProvider>
        </NoticesProvider>
      </KeysProvider>
    </QueryClientProvider>,
  );
}

/** jsdom knows dialogs, but cannot open them. */
function openDialog(this: HTMLDialogElement): void {
  this.open = true;
}

async function answerTo(url: string, answers: PageParts['answers']): Promise<Response> {
  const path = new URL(url, 'http://localhost').pathname;
  const [, answer] =
    Object.entries({ '/catalog': CATALOG, ...answers }).find(([end]) => path.endsWith(end)) ?? [];
  if (answer instanceof Response) return answer.clone();
  return answer === undefined
    ? Response.json({ title: path }, { status: 503 })
    : Response.json(await Promise.resolve(answer));
}

/** jsdom lays nothing out, so no size ever changes. */
class SteadySize implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** Nor does jsdom have a screen: no query matches it, ever. */
class SteadyMedia extends EventTarget {
  readonly matches = false;
}
