import { expect, test, type Page } from '@playwright/test';

import { openTrace } from '../support/catalog.ts';
import { lanes, pointIn } from '../support/lanes.ts';
import { manyCpus } from '../support/manyCpus.ts';
import { textFile } from '../support/recording.ts';

const details = (page: Page) => page.getByRole('complementary', { name: 'Details' });
const hover = (page: Page) => page.getByTestId('hover');
const firstRow = (page: Page) => page.locator('[data-row="0"]');
const lastRow = (page: Page) => page.locator('[data-row]').last();

test.beforeEach(async ({ page }) => {
  await page.goto('/');
  await page.getByLabel('Traces to upload').setInputFiles(textFile('many-cpus.txt', manyCpus()));
  const upload = page.getByRole('region', { name: 'Uploads' }).getByRole('link', { name: 'many-cpus.txt' });
  await expect(upload).toBeVisible();
  await openTrace(page, 'many-cpus');
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Timeline of /, level: 1 })).toBeVisible();
  await lanes(page);
});

/** Zooms in around the middle of the window with the wheel, until it is about a tenth of a second. */
async function zoomIn(page: Page): Promise<void> {
  const { x, y } = await pointIn(page, 0.5, 0);
  await page.mouse.move(x, y);
  await page.keyboard.down('Control');
  await expect(async () => {
    await page.mouse.wheel(0, -240);
    await expect(page.getByTestId('window')).toContainText(/\+\s[1-9]\d?\.\d+\sms$/, { timeout: 200 });
  }).toPass();
  await page.keyboard.up('Control');
}

test('of many CPUs the last one is scrolled to, and has its slices in full', async ({ page }) => {
  await zoomIn(page);
  await expect(lastRow(page)).not.toBeInViewport();
  await page.mouse.wheel(0, 20_000);
  await expect(lastRow(page)).toBeInViewport();
  await expect(firstRow(page)).not.toBeInViewport();
  const index = Number(await lastRow(page).getAttribute('data-row'));
  const { x, y } = await pointIn(page, 0.5, index);
  await page.mouse.move(x, y);
  await expect(hover(page)).toContainText('lane CPU 23 running');
  // The whole trace in short, which is there before, only has how busy the CPU is.
  await expect(hover(page)).toContainText('late-9');
  await expect(hover(page)).toContainText('duration 20,000,000\u202fns');
});

test('arrows lead from the last CPU to the first and back', async ({ page }) => {
  await zoomIn(page);
  await page.mouse.wheel(0, 20_000);
  await expect(lastRow(page)).toBeInViewport();
  const index = Number(await lastRow(page).getAttribute('data-row'));
  const { x, y } = await pointIn(page, 0.5, index);
  await page.mouse.move(x, y);
  await expect(hover(page)).toContainText('duration 20,000,000\u202fns');
  await page.mouse.click(x, y);
  await expect(page).toHaveURL(/slice=cpu23\.sched\.0@1490000000/);
  await details(page).getByRole('button', { name: 'waker-7 on CPU 0' }).click();
  await expect(page).toHaveURL(/event=cpu0@1489000000/);
  await expect(firstRow(page)).toBeInViewport();
  await expect(details(page)).toContainText('sched_waking');
  await details(page).getByRole('button', { name: 'late-9 on CPU 23' }).click();
  await expect(page).toHaveURL(/event=cpu23@1490000000/);
  await expect(lastRow(page)).toBeInViewport();
});
