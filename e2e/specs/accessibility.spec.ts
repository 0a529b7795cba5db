import { expect, test, type APIRequestContext, type Page } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { traceLinks } from '../support/catalog.ts';

const LOADED = 'cyclictest under load, PREEMPT_RT';
const GRAPH = 'Timer interrupt, function_graph';
const SLOW = 'Slow timer interrupt, with notes';
const NORMAL = 'Normal timer interrupt';
const TIMERLAT = 'timerlat, PREEMPT_RT';

interface Known {
  /** The id of a sample by its name. */
  readonly id: (name: string) => string;
  /** The worst case of a kind in a sample. */
  readonly worst: (name: string, kind: string) => Promise<string>;
  /** The slowest call of a sample. */
  readonly slowest: (name: string) => Promise<string>;
}

/** Every page and its states, by address: that each is reached by clicks is what the other specs show. */
const PAGES: Readonly<Record<string, (known: Known) => string | Promise<string>>> = {
  'a trace': ({ id }) => `/t/${id(LOADED)}`,
  'a trace of calls': ({ id }) => `/t/${id(GRAPH)}`,
  'a trace of timerlat': ({ id }) => `/t/${id(TIMERLAT)}`,
  'chosen durations and a group': ({ id }) =>
    `/t/${id(LOADED)}?v=1&kind=cyclic&worst=kind&band=200000-900000&group=cpu&stratum=cpu:1&form=percentiles`,
  'the timeline': ({ id }) => `/t/${id(LOADED)}/timeline`,
  'calls over time': ({ id }) => `/t/${id(GRAPH)}/calls`,
  'merged calls, searched': ({ id }) => `/t/${id(GRAPH)}/calls?v=1&show=graph&q=ktime`,
  'merged calls in CPU time, zoomed': ({ id }) =>
    `/t/${id(GRAPH)}/calls?v=1&show=graph&time=net&focus=__sysvec_apic_timer_interrupt`,
  'a sandwich': ({ id }) => `/t/${id(GRAPH)}/calls?v=1&show=graph&order=sandwich&of=hrtimer_interrupt`,
  'the functions and one of them': ({ id }) =>
    `/t/${id(GRAPH)}/calls?v=1&show=functions&of=hrtimer_interrupt`,
  'no calls': ({ id }) => `/t/${id(LOADED)}/calls`,
  'a case of events': async ({ id, worst }) => `/t/${id(LOADED)}/cases/${await worst(LOADED, 'cyclic')}`,
  'a case of calls': async ({ id, worst }) => `/t/${id(GRAPH)}/cases/${await worst(GRAPH, 'call')}`,
  'a case of a tracer': async ({ id, worst }) =>
    `/t/${id(TIMERLAT)}/cases/${await worst(TIMERLAT, 'timerlat')}`,
  'two calls compared': async ({ id, slowest }) =>
    `/diff?v=1&abnormal=${id(SLOW)}/${await slowest(SLOW)}&normal=${id(NORMAL)}/${await slowest(NORMAL)}`,
  'no comparison': () => '/compare',
  'traces compared': ({ id }) =>
    `/compare?v=1&variants=${encodeURIComponent(`a=${id(LOADED)};b=${id('cyclictest, trace.dat')}`)}`,
  'no trend': () => '/trend',
  'a trend': ({ id }) => `/trend?v=1&traces=${id(LOADED)},${id('cyclictest, trace.dat')}`,
  'saved experiments': () => '/experiments',
  'an experiment that is not there': () => '/experiments/no-such-thing',
  'the query page': () => '/query',
  'a query and its rows': ({ id }) =>
    `/query?v=1&traces=${id(LOADED)}&sql=${encodeURIComponent('SELECT kind, count FROM latency_total WHERE trace = ANY ($1)')}`,
  'the documentation': () => '/help/why',
  'how to record': () => '/help/recording',
  'the server': () => '/server',
  'a trace that is not there': () => '/t/aaaaaaaaaaaa',
  'a page that is not there': () => '/no/such/page',
};

test('the catalog and the help can be used by everybody', async ({ page }) => {
  await page.goto('/');
  await expect(traceLinks(page).first()).toBeVisible();
  await expectNoViolations(page);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectNoViolations(page);
});

for (const [name, address] of Object.entries(PAGES)) {
  test(`${name}: can be used by everybody`, async ({ page, request }) => {
    await page.goto(await address(await known(request)));
    await settled(page);
    await expectNoViolations(page);
  });
}

/** Every page has a heading of its own; pictures are drawn after it. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
  await page.waitForLoadState('networkidle');
}

interface Named {
  readonly id: string;
  readonly name: string;
}

async function known(request: APIRequestContext): Promise<Known> {
  const items = async <T>(path: string) =>
    (
      (await (await request.get(`/api/v1/${path}`)).json()) as {
        readonly items: readonly T[];
      }
    ).items;
  const traces = await items<Named>('traces?label=sample:yes&limit=100');
  const id = (name: string) => {
    const found = traces.find((trace) => trace.name === name);
    if (found === undefined) throw new Error(`no sample is called ${name}`);
    return found.id;
  };
  const first = async <T>(path: string) => {
    const [found] = await items<T>(path);
    if (found === undefined) throw new Error(`nothing at ${path}`);
    return found;
  };
  return {
    id,
    worst: async (name, kind) => (await first<Named>(`traces/${id(name)}/latencies?kind=${kind}&limit=1`)).id,
    slowest: async (name) => {
      const path = `traces/${id(name)}/functions?sort=-max&limit=1`;
      return (await first<{ readonly slowest: { readonly id: string } }>(path)).slowest.id;
    },
  };
}
