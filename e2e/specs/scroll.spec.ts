import { expect, test, type Page } from '@playwright/test';

import { traceLinks } from '../support/catalog.ts';

// So low that every page is longer than the screen.
test.use({ viewport: { width: 1280, height: 260 } });

const scroller = (page: Page) => page.locator('#page');
const top = (page: Page) => scroller(page).evaluate(({ scrollTop }) => scrollTop);

/** Scrolls the page from its top to `px` with the wheel. */
async function scrollTo(page: Page, px: number): Promise<void> {
  await scroller(page).hover();
  await page.mouse.wheel(0, px);
  await expect.poll(() => top(page)).toBe(px);
}

test('a page begins at its top, and Back returns to where it was left', async ({ page }) => {
  // Searched for, because other tests fill the list.
  await page.goto('/?q=cyclictest');
  const trace = traceLinks(page).getByText('cyclictest under load, PREEMPT_RT');
  await expect(trace).toBeVisible();
  await scrollTo(page, 60);
  await trace.scrollIntoViewIfNeeded();
  const left = await top(page);
  await trace.click();
  const distribution = page.getByRole('button', { name: 'percentiles' });
  await expect(distribution).toBeVisible();
  expect(await top(page)).toBe(0);

  // Another form of a chart is the same page.
  await distribution.scrollIntoViewIfNeeded();
  const kept = await top(page);
  expect(kept).toBeGreaterThan(0);
  await distribution.click();
  await expect(page).toHaveURL(/form=percentiles/);
  expect(await top(page)).toBe(kept);

  await page.goBack();
  await expect(trace).toBeVisible();
  await expect.poll(() => top(page)).toBe(left);
  await page.goForward();
  await expect.poll(() => top(page)).toBe(kept);

  // A reader who scrolls on is not held back by what still comes.
  await page.mouse.wheel(0, -100);
  await expect.poll(() => top(page)).toBe(kept - 100);
});

for (const [width, listed] of [
  [420, 'in one line'],
  [768, 'above it'],
] as const) {
  test(`a page of the documentation at ${width} pixels has all of the width, and the list of pages ${listed}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/help/settings');
    const meaning = page.getByRole('table').first().getByText('Port to listen on.');
    await expect(meaning).toBeVisible();
    const pages = page.getByRole('navigation', { name: 'Documentation' });
    const current = pages.getByRole('link', { name: 'Settings' });
    await expect(current).toBeInViewport({ ratio: 1 });
    const table = await page.getByRole('group', { name: 'Table' }).first().boundingBox();
    expect(table?.width).toBe(width - 32);
    expect(await top(page)).toBe(0);
    await pages.getByRole('link', { name: 'Latencies', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Latencies');
    expect(await top(page)).toBe(0);
  });
}
