import { expect, test, type Page } from '@playwright/test';

import { openTrace } from '../support/catalog.ts';
import { lanes } from '../support/lanes.ts';

const cyclictest = 'cyclictest under load, PREEMPT_RT';
const graph = 'Timer interrupt, function_graph';

/** What has a chart, by the heading that says what it is. */
const charts = (page: Page) => page.getByRole('region').filter({ has: page.locator('canvas') });

/** These lead to a page with the chart itself. */
const LEADING = ['Running tasks', 'Calls', 'The way of the case'];

for (const trace of [cyclictest, graph]) {
  test(`each chart of an overview has its count, a table and pictures: ${trace}`, async ({ page }) => {
    await openTrace(page, trace);
    const distribution = page.getByRole('region', { name: /: distribution$/ });
    await expect(distribution.locator('[data-rendered]').first()).toBeVisible();
    await expect(charts(page).nth(1)).toBeVisible();
    const names = await charts(page).evaluateAll((all) =>
      all.map((one) => one.getAttribute('aria-label') ?? ''),
    );
    for (const name of names.filter((one) => !LEADING.includes(one))) {
      const chart = page.getByRole('region', { name, exact: true });
      // oxlint-disable no-await-in-loop -- one after the other
      await expect(chart.getByRole('heading', { level: 2, name, exact: true })).toBeVisible();
      await expect(chart.getByText(/^[\d,]+ samples/).first()).toBeVisible();
      for (const way of ['Table', 'PNG', 'SVG'])
        await expect(chart.getByText(way, { exact: true })).toBeVisible();
      // oxlint-enable no-await-in-loop
    }
  });
}

for (const [trace, tab] of [
  [cyclictest, 'Timeline'],
  [graph, 'Calls'],
] as const) {
  test(`the lanes of a page have a table and pictures: ${tab}`, async ({ page }) => {
    await openTrace(page, trace);
    await page.getByRole('link', { name: tab, exact: true }).click();
    await lanes(page);
    for (const way of ['Table', 'PNG', 'SVG']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await expect(page.getByText(way, { exact: true })).toHaveCount(1);
    }
  });
}

test('on a phone what a distribution says of itself is not cut', async ({ page }) => {
  await page.setViewportSize({ width: 420, height: 900 });
  await openTrace(page, cyclictest);
  const panel = page.getByRole('region', { name: /: distribution$/ });
  const hint = panel.getByTestId('distribution-hover');
  for (const form of ['histogram', 'percentiles', 'shelves']) {
    // oxlint-disable no-await-in-loop -- one after the other
    await panel.getByRole('button', { name: form, exact: true }).click();
    await expect(hint).toContainText(form === 'shelves' ? 'sorted' : 'samples');
    // The line above the strip takes a pixel of its two rows.
    const cutPx = await hint.evaluate((strip) => strip.scrollHeight - strip.clientHeight);
    expect(cutPx, form).toBeLessThanOrEqual(1);
    // oxlint-enable no-await-in-loop
  }
});

test('what names a case or a task leads to it', async ({ page }) => {
  await openTrace(page, cyclictest);
  const links = page.getByRole('table', { name: 'Worst cases' }).getByRole('row').nth(1).getByRole('link');
  await expect(links).toHaveCount(3);
  const [kind, duration, task] = [links.nth(0), links.nth(1), links.nth(2)];
  await expect(kind).toHaveAttribute('href', /\/cases\/cyclic/);
  await expect(duration).toHaveAttribute('href', (await kind.getAttribute('href')) ?? '');
  const name = await task.innerText();
  const ofTask = new RegExp(`tasks=${name.split('-').at(-1)}`);
  await task.click();
  await lanes(page);
  await expect(page).toHaveURL(ofTask);
  await expect(page.getByRole('link', { name: /woke .* late/ })).toBeVisible();
  await page.goBack();

  await duration.click();
  const facts = page.getByRole('region', { name: 'Facts' });
  await facts.getByRole('link', { name, exact: true }).click();
  await lanes(page);
  await expect(page).toHaveURL(ofTask);
});
