import { expect, test, type Page } from '@playwright/test';
import path from 'node:path';

import { ftqFiles } from '../support/ftq.ts';
import { uploadNightlies } from '../support/nightlies.ts';
import { sleepFiles } from '../support/sleeper.ts';

const pictures = path.resolve(import.meta.dirname, '../../docs/pictures');
const folder = () => (test.info().project.name === 'light' ? path.join(pictures, 'light') : pictures);

/** The address of the page of a sample, by name. */
async function addressOf(page: Page, name: string): Promise<string> {
  // What other pictures have uploaded fills the first page of the list.
  await page.goto('/?v=1&label=sample:yes');
  const link = page.getByRole('link', { name, exact: true });
  return (await link.getAttribute('href')) ?? '';
}

async function picture(page: Page, name: string): Promise<void> {
  await expect(page.locator('[data-rendered]').first()).toBeVisible();
  await page.screenshot({
    path: path.join(folder(), `${name}.png`),
    animations: 'disabled',
  });
}

test('timeline', async ({ page }) => {
  const address = await addressOf(page, 'cyclictest under load, PREEMPT_RT');
  await page.goto(`${address}/timeline?window=300000000-306000000`);
  await picture(page, 'timeline');
});

test('case', async ({ page }) => {
  const address = await addressOf(page, 'cyclictest under load, PREEMPT_RT');
  const answer = await page.request.get(
    `/api/v1${address.replace('/t/', '/traces/')}/latencies?kind=cyclic&limit=1`,
  );
  const { items } = (await answer.json()) as { items: [{ readonly url: string }] };
  await page.goto(items[0].url);
  await expect(page.locator('canvas').first()).toBeVisible();
  await picture(page, 'case');
});

test('tail', async ({ page }) => {
  const address = await addressOf(page, 'cyclictest under load, PREEMPT_RT');
  await page.goto(address);
  const slow = page.getByRole('button', { name: /^Cases of 99-/ });
  await slow.scrollIntoViewIfNeeded();
  await slow.hover();
  await picture(page, 'tail');
});

/** A histogram as `cyclictest -h` prints it: most cycles take a little more than 10 µs, and one in fifty `late`. */
function histogram(run: number, late: number): string {
  const counts = Array.from({ length: 120 }, (_, at) => {
    const usual = at < 10 ? 0 : Math.round(400 * Math.exp(-(at - 10 + (run % 3) / 3) / 2));
    return usual + (Math.abs(at - late - run) < 3 ? 7 - run : 0);
  });
  const lines = counts.map(
    (count, at) => `${at.toString().padStart(6, '0')} ${count.toString().padStart(6, '0')}`,
  );
  const total = counts
    .reduce((sum, count) => sum + count, 0)
    .toString()
    .padStart(9, '0');
  return [
    '# Histogram',
    ...lines,
    `# Total: ${total}`,
    '# Histogram Overflows: 00000',
    '# Thread 0:',
    '',
  ].join('\n');
}

test('experiment', async ({ page }) => {
  for (const [side, late] of [
    ['before', 80],
    ['after', 45],
  ] as const) {
    for (const run of [1, 2, 3, 4, 5]) {
      // oxlint-disable-next-line no-await-in-loop -- in this order in the catalog
      await page.request.post(`/api/v1/traces?filename=tuned-run${run}-${side}.txt`, {
        data: Buffer.from(histogram(run, late)),
      });
    }
  }
  await page.goto('/?v=1&q=tuned-run');
  await expect(page.getByRole('cell', { name: 'ready' })).toHaveCount(10);
  await page.getByRole('checkbox', { name: 'Select all traces on this page' }).click();
  await page.getByRole('button', { name: 'Compare' }).click();
  await picture(page, 'experiment');
});

test('trend', async ({ page, request }) => {
  await uploadNightlies(request, 'nightly', { nights: 60, badSince: 35 });
  await page.goto('/trend?labels=job:nightly&by=build');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('p99 rose');
  await picture(page, 'trend');
});

test('shelves', async ({ page }) => {
  for (const { name, buffer } of ftqFiles('tick')) {
    // oxlint-disable-next-line no-await-in-loop -- in this order in the catalog
    await page.request.post(`/api/v1/traces?filename=${name}`, { data: buffer });
  }
  await page.setViewportSize({ width: 1440, height: 1000 });
  await page.goto('/?v=1&q=tick-');
  await expect(page.getByRole('cell', { name: 'ready' })).toHaveCount(6);
  await page.getByRole('checkbox', { name: 'Select all traces on this page' }).click();
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('button', { name: 'shelves', exact: true }).click();
  await picture(page, 'shelves');
});

test('strata', async ({ page }) => {
  for (const [name, text] of Object.entries(sleepFiles())) {
    // oxlint-disable-next-line no-await-in-loop -- in this order in the catalog
    await page.request.post(`/api/v1/traces?filename=${name}`, { data: Buffer.from(text) });
  }
  await page.setViewportSize({ width: 1440, height: 620 });
  await page.goto('/?v=1&q=sleep-');
  await expect(page.getByRole('cell', { name: 'ready' })).toHaveCount(16);
  await page.getByRole('checkbox', { name: 'Select all traces on this page' }).click();
  await page.getByRole('button', { name: 'Compare' }).click();
  const rows = page.getByLabel('rows');
  const words = rows.locator('option', { hasText: /^name: 1ms/ });
  await rows.selectOption((await words.getAttribute('value')) ?? '');
  const table = page.getByRole('table', { name: 'Strata' });
  await expect(table.getByRole('row')).toHaveCount(5);
  await table.scrollIntoViewIfNeeded();
  await picture(page, 'strata');
});

test('run', async ({ page }) => {
  const address = await addressOf(page, 'cyclictest under load, PREEMPT_RT');
  const trace = address.replace('/t/', '');
  const cycles = async (pid: number) => {
    const answer = await page.request.get(
      `/api/v1/traces/${trace}/latencies?kind=cyclic&pid=${pid}&sort=t&limit=1000`,
    );
    const { items } = (await answer.json()) as { items: { readonly duration_ns: number }[] };
    return items.map(({ duration_ns }) => Math.floor((duration_ns + 2300) / 1000));
  };
  const threads = [await cycles(371), await cycles(372)];
  const lines = threads.flatMap((values, thread) => [
    `Thread ${thread} Interval: ${1500 + 500 * thread}`,
    ...values.map((value, cycle) =>
      `${thread}:${cycle}:${value}`.replace(/\d+/g, (word) => word.padStart(8)),
    ),
  ]);
  const answer = await page.request.post(
    `/api/v1/traces?filename=cyclictest-load.cyclictest.txt&with=${trace}`,
    { data: Buffer.from(`${lines.join('\n')}\n`) },
  );
  const { id } = (await answer.json()) as { id: string };
  await page.request.get(`/api/v1/traces/${id}?wait=30`);
  await page.goto(`/t/${id}`);
  await expect(page.getByRole('region', { name: 'Measured and traced' })).toContainText('the same cycle');
  await expect(page.getByRole('region', { name: /distribution$/ }).locator('[data-rendered]')).toBeVisible();
  await picture(page, 'run');
});

interface FunctionItem {
  readonly max_ns: number;
  readonly slowest: { readonly id: string; readonly t: number };
}

/** The statistics of a function in the trace at this address. */
async function functionIn(page: Page, address: string, name: string): Promise<FunctionItem> {
  const answer = await page.request.get(
    `/api/v1${address.replace('/t/', '/traces/')}/functions?q=${name}&sort=-max&limit=1`,
  );
  const { items } = (await answer.json()) as { items: [FunctionItem] };
  return items[0];
}

test('calls', async ({ page }) => {
  const address = await addressOf(page, 'Timer interrupt, function_graph');
  const { max_ns, slowest } = await functionIn(page, address, '__sysvec_apic_timer_interrupt');
  const margin = Math.round(max_ns / 50);
  await page.goto(`${address}/calls?window=${slowest.t - margin}-${slowest.t + max_ns + margin}`);
  await picture(page, 'calls');
});

test('compare', async ({ page }) => {
  const sides = [];
  for (const name of ['Slow timer interrupt, with notes', 'Normal timer interrupt']) {
    const address = await addressOf(page, name);
    const { slowest } = await functionIn(page, address, 'smp_apic_timer_interrupt');
    sides.push(`${address.replace('/t/', '')}/${slowest.id}`);
  }
  await page.setViewportSize({ width: 1440, height: 1160 });
  await page.goto(`/diff?abnormal=${sides[0]}&normal=${sides[1]}`);
  await picture(page, 'compare');
});
