import { expect, test, type Page } from '@playwright/test';

import { openTrace } from '../support/catalog.ts';

const LOADED = 'cyclictest under load, PREEMPT_RT';
const GRAPH = 'Timer interrupt, function_graph';

const result = (page: Page) => page.getByRole('table', { name: 'Result' });

/** Numbers keep to their units by spaces of several kinds. */
const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** The cells of a row of the result, by the names of its columns; nanoseconds as the time that a pointer is shown. */
async function rowOf(page: Page, at: number): Promise<ReadonlyMap<string, string>> {
  await expect(result(page).getByRole('row').nth(at)).toBeVisible();
  const heads = await result(page).getByRole('columnheader').allInnerTexts();
  const row = result(page).getByRole('row').nth(at);
  const cells = await row
    .getByRole('cell')
    .evaluateAll((all) =>
      all.map((cell) => cell.querySelector('[title]')?.getAttribute('title') ?? cell.textContent),
    );
  return new Map(heads.map((head, index) => [head, cells[index] ?? '']));
}

test('the worst cases as SQL are those of the page, and lead to them', async ({ page }) => {
  await openTrace(page, LOADED);
  const panel = page.getByRole('region', { name: 'Worst cases' });
  await expect(panel.getByRole('row').nth(5)).toBeVisible();
  const listed = await panel.getByRole('row').allInnerTexts();
  await panel.getByRole('link', { name: 'As SQL' }).click();
  const first = await rowOf(page, 1);
  const found = (await result(page).getByRole('row').allInnerTexts()).map(plain);
  expect(listed.length).toBeGreaterThan(5);
  for (const row of listed.slice(1)) {
    const [kind = '', duration = '', ...others] = row.split(/\s*\t\s*/);
    const headline = others.at(-1) ?? '';
    expect(
      found.filter((one) => [kind, duration, headline].every((part) => one.includes(plain(part)))),
      row,
    ).toHaveLength(1);
  }
  await result(page).getByRole('row').nth(1).getByRole('link').nth(1).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(first.get('headline') ?? 'none');
});

test('what took the time of a range as SQL is what the page adds up', async ({ page }) => {
  await openTrace(page, LOADED);
  const timeline = page.getByRole('link', { name: 'Timeline', exact: true });
  const address = await timeline.getAttribute('href');
  for (const by of ['name', 'task', 'cpu']) {
    await page.goto(`${address?.split('?')[0]}?v=1&area=300000000-306000000&by=${by}`);
    const panel = page.getByRole('complementary', { name: 'Details' });
    await expect(panel.getByText(/^Shares are of/)).toBeVisible();
    await expect(panel.getByRole('status')).toHaveText('');
    const shown = await panel.getByRole('table').getByRole('row').nth(1).getByRole('cell').allInnerTexts();
    await panel.getByRole('link', { name: 'As SQL' }).click();
    const found = await rowOf(page, 1);
    const cells = shown.map(plain);
    for (const column of ['count', 'total_ns', 'longest_ns']) {
      expect(cells).toContain(plain(found.get(column) ?? 'none'));
    }
  }
});

test('the statistics as SQL are those of the page', async ({ page }) => {
  await openTrace(page, LOADED);
  const panel = page.getByRole('region', { name: /: distribution$/ });
  const statistics = panel.getByRole('table', { name: 'Statistics' });
  await expect(statistics.getByRole('row').nth(1)).toContainText('ms');
  const heads = await statistics.getByRole('columnheader').allInnerTexts();
  const cells = await statistics.getByRole('row').nth(1).getByRole('cell').allInnerTexts();
  const shown = new Map(heads.map((head, at) => [head.trim(), cells[at]?.trim()]));
  await panel.getByRole('link', { name: 'As SQL' }).click();
  const found = await rowOf(page, 1);
  const names = {
    Count: 'count',
    min: 'min_ns',
    mean: 'mean_ns',
    max: 'max_ns',
    p50: 'p50_ns',
    p90: 'p90_ns',
    p99: 'p99_ns',
    'p99.9': 'p99_9_ns',
    'p99.99': 'p99_99_ns',
    'p99.999': 'p99_999_ns',
  };
  // Of so few samples, the last percentiles are not shown.
  for (const [head, column] of Object.entries(names).filter(([name]) => shown.has(name))) {
    expect(found.get(column), `${head} of ${[...shown.keys()].join()}`).toBe(shown.get(head));
  }
});

test('the functions as SQL are those of the page', async ({ page }) => {
  await openTrace(page, GRAPH);
  const functions = page.getByRole('region', { name: 'Functions' });
  const row = functions.getByRole('table', { name: 'Functions' }).getByRole('row').nth(1);
  await expect(row.getByRole('link').first()).toBeVisible();
  const listed = await row.innerText();
  await functions.getByRole('link', { name: 'As SQL' }).click();
  const first = await rowOf(page, 1);
  for (const column of ['name', 'count', 'total_ns', 'max_ns']) {
    expect(listed).toContain(first.get(column) ?? 'none');
  }
});

test('the calls of a function as SQL are those of its instances', async ({ page }) => {
  await openTrace(page, GRAPH);
  await page.getByRole('link', { name: 'Calls', exact: true }).click();
  await page.getByRole('button', { name: 'Functions' }).click();
  const functions = page.getByRole('table', { name: 'Functions' });
  const heads = await functions.getByRole('columnheader').allInnerTexts();
  const at = (title: string) => heads.findIndex((head) => head.includes(title));
  const row = functions
    .getByRole('row')
    .filter({ has: page.getByText('hrtimer_interrupt', { exact: true }) });
  const cells = (await row.getByRole('cell').allInnerTexts()).map(plain);
  await row.getByRole('link').nth(1).click();
  const instances = page.getByRole('region', { name: 'Calls of hrtimer_interrupt' });
  await expect(instances).toContainText(' in view');
  const visible = /([\d,]+) calls? in view/.exec(await instances.innerText())?.[1];
  await instances.getByRole('link', { name: 'As SQL' }).click();
  const longest = await rowOf(page, 1);
  expect(plain(longest.get('duration_ns') ?? '')).toBe(cells[at('Max')]);
  const answer = page.getByRole('region', { name: 'Result' });
  await expect(answer).toContainText(`${visible} rows`);
});

test('the functions of the page of calls as SQL are those that it lists', async ({ page }) => {
  await openTrace(page, GRAPH);
  await page.getByRole('link', { name: 'Calls', exact: true }).click();
  await page.getByRole('button', { name: 'Functions' }).click();
  const row = page.getByRole('table', { name: 'Functions' }).getByRole('row').nth(1);
  await expect(row.getByRole('link').first()).toBeVisible();
  const listed = plain(await row.innerText());
  await page.getByRole('link', { name: 'As SQL' }).click();
  const first = await rowOf(page, 1);
  for (const column of ['name', 'count', 'total_ns', 'self_ns', 'min_ns', 'max_ns']) {
    expect(listed).toContain(plain(first.get(column) ?? 'none'));
  }
});
