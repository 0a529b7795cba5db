import { expect, test, type Page } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { lanes, pointIn } from '../support/lanes.ts';
import { recordingOf } from '../support/recording.ts';
import { uploadSample, uploadText } from '../support/trace.ts';

const sample = 'cyclictest-load-6.12-rt.txt.zst';

const events = (page: Page) => page.getByRole('table', { name: 'Visible events' });
const details = (page: Page) => page.getByRole('complementary', { name: 'Details' });

/** From the first page to the lanes of the sample, around its worst case. */
async function openCase(page: Page, baseURL: string | undefined): Promise<void> {
  const id = await uploadSample(baseURL ?? '', sample);
  await page.goto('/');
  // By search, because other tests fill the first page.
  await page.getByRole('searchbox', { name: 'Search traces' }).fill('cyclictest under load');
  await page.locator(`a[href^="/t/${id}/cases/"]`).first().click();
  await page.getByRole('link', { name: 'Open in timeline' }).click();
  await lanes(page);
}

test('a slice leads to its events, and they lead back to it', async ({ page, baseURL }) => {
  await openCase(page, baseURL);
  const row = page.locator('[data-row]', { hasText: 'CPU 1' }).first();
  const { x, y } = await pointIn(page, 0.5, Number(await row.getAttribute('data-row')));
  await page.mouse.click(x, y);
  await expect(page).toHaveURL(/slice=cpu1\.sched\.0@\d+/);
  // The next one begins in the window.
  const clicked = page.url();
  await page.keyboard.press('.');
  await expect(page).not.toHaveURL(clicked);
  const slice = /slice=([^&]+)/.exec(page.url())?.[1] ?? '';
  const first = events(page).getByRole('row', { name: 'start of the slice' });
  await expect(first).toBeInViewport();
  await expect(details(page)).toContainText('priority');
  await expect(details(page)).toContainText('end state');
  await expect(details(page)).toContainText('next_pid=');
  await details(page).getByRole('button', { name: 'sched_switch' }).nth(1).click();
  await expect(page).toHaveURL(/event=cpu1@\d+/);
  await expect(events(page).getByRole('row', { selected: true })).toContainText('sched_switch');
  await expect(page).toHaveURL(new RegExp(`slice=${slice}(&|$)`));
  await expectNoViolations(page);
  await page.goBack();
  await expect(page).not.toHaveURL(/event=/);
  await first.getByRole('button').first().click();
  await expect(page).toHaveURL(new RegExp(`slice=${slice}(&|$)`));
  await expect(page).toHaveURL(/event=/);
});

test('an event selects the slice that it begins', async ({ page, baseURL }) => {
  await openCase(page, baseURL);
  await page.keyboard.press('/');
  await page.keyboard.type('event:local_timer_entry');
  await expect(page).toHaveURL(/q=event:local_timer_entry/);
  await expect(events(page)).not.toHaveAttribute('data-stale');
  await events(page).getByRole('row').nth(1).getByRole('button').first().click();
  await expect(page).toHaveURL(/slice=cpu\d\.irq\.0@\d+/);
  await expect(details(page)).toContainText('Interrupt');
  await expect(details(page)).toContainText('vector=236');
  const shown = page.url();
  await page.reload();
  await lanes(page);
  await expect(details(page)).toContainText('vector=236');
  expect(page.url()).toBe(shown);
});

test('the task of an event leads to its lane', async ({ page, baseURL }) => {
  await openCase(page, baseURL);
  const task = events(page)
    .getByTitle(/^Show the lane of /)
    .first();
  const name = await task.innerText();
  await task.click();
  const pid = name.slice(name.lastIndexOf('-') + 1);
  await expect(page).toHaveURL(new RegExp(`tasks=${pid}(&|$)`));
  await lanes(page);
  await expect(
    page.locator('[data-row]', { hasText: name.slice(name.lastIndexOf('-')) }).first(),
  ).toBeVisible();
});

for (const width of [420, 1280]) {
  test(`the times of a long recording have all their digits, ${width} pixels wide`, async ({
    page,
    baseURL,
  }) => {
    const late =
      '          late-7       [000] d..2.   9000100.000010: sched_wakeup: comm=late pid=7 prio=120 target_cpu=000';
    const trace = await uploadText(baseURL ?? '', 'long.txt', `${recordingOf('long')}${late}\n`);
    await page.setViewportSize({ width, height: 860 });
    await page.goto(`/t/${trace}/timeline`);
    const cell = events(page).getByRole('cell', { name: '9000000.000000000' });
    await expect(cell).toBeVisible();
    expect(await cell.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBe(0);
  });
}
