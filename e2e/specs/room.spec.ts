import { expect, test, type Page } from '@playwright/test';

import { lanes } from '../support/lanes.ts';

/** How much of the chart's height its rows take, from 0 to 1. */
async function rowsOfHeight(page: Page): Promise<number> {
  const chart = await (await lanes(page)).boundingBox();
  const last = await page.locator('[data-row]').last().boundingBox();
  if (!chart || !last) throw new Error('the lanes have no size');
  return (last.y + last.height - chart.y) / chart.height;
}

const places = [
  { trace: 'cyclictest under load, PREEMPT_RT', tab: 'Timeline' },
  { trace: 'Timer interrupt, function_graph', tab: 'Calls' },
];

for (const { trace, tab } of places) {
  test(`the lanes of few CPUs grow to fill the page: ${tab}`, async ({ page }) => {
    await page.goto('/');
    await page.getByRole('link', { name: trace, exact: true }).click();
    await page.getByRole('link', { name: tab, exact: true }).click();
    // The page before has rows, too.
    await expect(page.getByRole('heading', { name: new RegExp(`^${tab} of `), level: 1 })).toBeVisible();
    await expect.poll(() => rowsOfHeight(page)).toBeGreaterThan(0.7);
    expect(await rowsOfHeight(page)).toBeLessThanOrEqual(1);
  });
}

test('on a phone the ways of a comparison are one row', async ({ page }) => {
  await page.setViewportSize({ width: 420, height: 900 });
  await page.goto('/');
  await page.getByRole('link', { name: 'Timer interrupt, function_graph', exact: true }).click();
  await page
    .getByRole('table', { name: 'Worst cases' })
    .getByRole('link', { name: 'call', exact: true })
    .click();
  await page.getByRole('link', { name: /^Compare with normal/ }).click();
  const ways = page.getByRole('button', { name: 'all others' });
  await expect(ways).toBeVisible();
  const shape = await page.getByRole('group', { name: 'shape' }).boundingBox();
  const floor = await page.getByText('noise floor', { exact: true }).boundingBox();
  expect(shape?.height).toBeLessThan(32);
  expect(floor?.height).toBeLessThan(32);
});
