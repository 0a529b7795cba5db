import { expect, test } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { openTrace } from '../support/catalog.ts';

test('who comes first is led to samples, to a comparison, and to recording', async ({ page }) => {
  await page.goto('/');
  const start = page
    .getByRole('group')
    .filter({ has: page.getByRole('heading', { name: 'Start here' }) })
    .first();
  await expect(start).toContainText('the longest took 271.7 µs');
  await start.getByText('All samples').click();
  await expect(
    start.getByRole('link', { name: /^Timer latency in interrupt and thread context/ }),
  ).toBeVisible();
  await expectNoViolations(page);

  await start.getByRole('link', { name: 'A slow interrupt next to a normal one' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('+10.06 µs');
  await page.goBack();

  await start.getByRole('link', { name: /^Two real-time threads against hackbench/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('cyclictest under load');
  await page.getByRole('link', { name: 'Record', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'How to record' })).toBeVisible();
  await expect(page.locator('pre').first()).toContainText('trace-cmd record -b 20000 -e sched');
  await expect(page.getByRole('button', { name: 'Copy' }).first()).toBeVisible();
  await expectNoViolations(page);

  // It can be folded, and stays open for who has opened only a few traces.
  await page.getByRole('link', { name: 'jitterscope' }).click();
  await expect(start.getByRole('link', { name: 'Record your own' })).toBeVisible();
  await start.getByRole('heading', { name: 'Start here' }).click();
  await expect(start.getByRole('link', { name: 'Record your own' })).toBeHidden();
});

// Between them they have all that pages are made of.
const CHECKED = ['Latencies', 'SQL', 'Running a server'];

/** Listed with them, and no pages of documentation. */
const OTHERS = ['REST reference', 'This server'];

test('every page of documentation opens', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Record', exact: true }).click();
  const pages = page.getByRole('navigation', { name: 'Documentation' }).getByRole('link');
  await expect(pages.first()).toBeVisible();
  const titles = (await pages.allInnerTexts()).filter((title) => !OTHERS.includes(title));
  for (const title of titles) {
    await page
      .getByRole('navigation', { name: 'Documentation' })
      .getByRole('link', { name: title, exact: true })
      .click();
    await expect(page.getByRole('article').getByRole('heading', { level: 1 }), title).toBeVisible();
    if (CHECKED.includes(title)) await expectNoViolations(page);
  }
});

test('a term leads to what the documentation says of it', async ({ page }) => {
  await openTrace(page, 'cyclictest under load, PREEMPT_RT');
  await page.getByRole('link', { name: 'More', exact: true }).click();
  await expect(page).toHaveURL(/\/help\/latencies#row-cyclic$/);
  await expect(page.locator('#row-cyclic')).toBeInViewport();
  await page.goBack();
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByRole('link', { name: 'the search box' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(/\/help\/filter$/);
});

test('the documentation without a page named begins with how to record', async ({ page }) => {
  await page.goto('/help');
  await expect(page.getByRole('heading', { level: 1, name: 'How to record' })).toBeVisible();
  await page
    .getByRole('navigation', { name: 'Documentation' })
    .getByRole('link', { name: 'Latencies' })
    .click();
  await expect(page).toHaveURL(/\/help\/latencies$/);
});

test('a page with nothing to follow leads to the samples', async ({ page }) => {
  await page.goto('/trend');
  await expect(page.getByRole('heading', { name: 'No traces selected' })).toBeVisible();
  await page.getByRole('link', { name: 'Try it with the samples' }).click();
  await expect(page).toHaveURL(/label=sample%3Ayes|label=sample:yes/);
  await expect(page.getByRole('cell', { name: 'ready' }).first()).toBeVisible();
});
