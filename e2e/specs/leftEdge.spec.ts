import { expect, test } from '@playwright/test';

import { slowestCall, worstCase } from '../support/diff.ts';
import { endsOfWays, leftEdges } from '../support/leftEdge.ts';
import { uploadSample } from '../support/trace.ts';

const load = 'cyclictest-load-6.12-rt.txt.zst';
const graph = 'timer-interrupt-6.12.txt.zst';

/** Words of the tools, of the names of lanes, of the strip under them and of what follows. */
const pages: readonly {
  readonly name: string;
  readonly address: (page: Parameters<typeof worstCase>[0], url: string) => Promise<string>;
}[] = [
  { name: 'a trace', address: async (_, url) => `/t/${await uploadSample(url, load)}` },
  { name: 'a timeline', address: async (_, url) => `/t/${await uploadSample(url, load)}/timeline` },
  { name: 'a case', address: async (page, url) => (await worstCase(page, url, load, 'cyclic')).path },
  { name: 'calls', address: async (_, url) => `/t/${await uploadSample(url, graph)}/calls` },
  {
    name: 'a comparison',
    address: async (page, url) => {
      const sample = 'timer-interrupt-abnormal-annotated.txt';
      return `/diff?abnormal=${(await slowestCall(page, url, sample, 'smp_apic_timer_interrupt')).ref}`;
    },
  },
  { name: 'a query', address: () => Promise.resolve('/query') },
  { name: 'the server', address: () => Promise.resolve('/server') },
];

for (const { name, address } of pages) {
  test(`what is nearest to the left edge begins at one place: ${name}`, async ({ page, baseURL }) => {
    await page.goto(await address(page, baseURL ?? ''));
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
    await expect.poll(async () => (await leftEdges(page.getByRole('main')))[0]).toBe(16);
  });
}

test('merged calls keep as far from the left edge as from the right one', async ({ page, baseURL }) => {
  await page.goto(`/t/${await uploadSample(baseURL ?? '', graph)}/calls?v=1&show=graph`);
  const chart = page.getByRole('group', { name: /merged by stack$/ });
  await expect(chart).toBeVisible();
  expect((await chart.boundingBox())?.x).toBe(16);
});

test('the line under the calls of a function begins where its heading does', async ({ page, baseURL }) => {
  await page.goto(
    `/t/${await uploadSample(baseURL ?? '', graph)}/calls?v=1&show=functions&of=hrtimer_interrupt`,
  );
  const heading = page.getByRole('heading', { name: 'Calls of hrtimer_interrupt' });
  const line = page.getByTestId('point-hover').getByText(/^Click to pick/);
  await expect(line).toBeVisible();
  expect((await line.boundingBox())?.x).toBe((await heading.boundingBox())?.x);
});

const withWays = pages.filter(({ name }) => ['a trace', 'a timeline', 'calls'].includes(name));
for (const { name, address } of [
  ...withWays,
  { name: 'the traces', address: () => Promise.resolve('/?q=cyclictest+under+load') },
]) {
  test(`what leads on at the right edge ends at one place: ${name}`, async ({ page, baseURL }) => {
    await page.goto(await address(page, baseURL ?? ''));
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
    // Of a sign, which is in the middle of its box, a pixel further.
    await expect.poll(async () => Math.min(...(await endsOfWays(page.getByRole('main'))))).toBe(16);
    expect(Math.max(...(await endsOfWays(page.getByRole('main'))))).toBeLessThanOrEqual(17);
  });
}
