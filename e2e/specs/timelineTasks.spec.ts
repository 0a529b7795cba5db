import { expect, test, type Page } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { lanes, pointIn } from '../support/lanes.ts';
import { uploadSample } from '../support/trace.ts';

const sample = 'cyclictest-load-6.12-rt.txt.zst';

const chart = (page: Page) => page.getByRole('group', { name: /^Timeline of / });

test('an opened case has the lanes of its task and of those that it waited for', async ({
  page,
  baseURL,
}) => {
  const id = await uploadSample(baseURL ?? '', sample);
  // By search, because other tests fill the first page.
  await page.goto('/');
  await page.getByRole('searchbox', { name: 'Search traces' }).fill('cyclictest under load');
  await page.locator(`a[href^="/t/${id}/cases/"]`).first().click();
  await page.getByRole('link', { name: 'Open in timeline' }).click();
  await lanes(page);
  await expect(chart(page).getByText('cyclictest-372')).toBeVisible();
  await page.getByRole('button', { name: 'Close the case' }).click();
  await expect(chart(page).getByText('cyclictest-372')).toBeHidden();
  await page.getByRole('button', { name: 'Fit the selection, or the whole trace (F)' }).click();
  await page.getByRole('button', { name: /^cyclic, 5\.716\sms,/ }).click();
  await expect(chart(page).getByText('sleep-471')).toBeVisible();
  await expect(chart(page).getByText('ktimers/1-34')).toBeVisible();
  const { x, y } = await pointIn(page, 0.5, 0);
  await page.mouse.click(x, y);
  const details = page.getByRole('complementary', { name: 'Details' });
  // Its timer was handed to ktimers, so it sleeps on until that wakes it.
  await expect(details).toContainText('blocked');
  await page.keyboard.press('.');
  await expect(details).toContainText('runnable');
  await expect(details).toContainText('woken bya softirq in ktimers/1-34');
  await expect(page.getByTestId('arrows').locator('g[data-kind="wakeup"]').first()).toBeVisible();
  await page.getByRole('button', { name: 'Close the case' }).click();
  await expect(chart(page).getByText('ktimers/1-34')).toBeHidden();
});

test('the lane of a task comes into sight, however far down its slice was picked', async ({
  page,
  baseURL,
}) => {
  const id = await uploadSample(baseURL ?? '', sample);
  await page.setViewportSize({ width: 1280, height: 460 });
  await page.goto(`/t/${id}/timeline`);
  await lanes(page);
  const running = chart(page).locator('[data-row="4"]');
  await expect(running).toContainText('CPU 1');
  await running.scrollIntoViewIfNeeded();
  const { x, y } = await pointIn(page, 0.5, 4);
  // Deep enough for single slices.
  await page.mouse.move(x, y);
  for (const _ of [1, 2, 3, 4, 5, 6, 7, 8]) await page.keyboard.press('w');
  await lanes(page);
  await page.mouse.click(x, y);
  await page.getByRole('button', { name: 'Lane of the task' }).click();
  await expect(page).toHaveURL(/tasks=\d+/);
  const pid = /tasks=(\d+)/.exec(page.url())?.[1] ?? '';
  const added = chart(page).locator('[data-row="0"]');
  await expect(added).toContainText(`-${pid}`);
  await expect(added).toBeInViewport();
});

test('a task is added from the list, kept by its link, and removed', async ({ page, baseURL }) => {
  const id = await uploadSample(baseURL ?? '', sample);
  await page.goto(`/t/${id}`);
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await lanes(page);
  const list = page.getByRole('combobox', { name: 'Add the lane of a task' });
  await list.selectOption('372');
  await expect(chart(page).getByText('cyclictest-372')).toBeVisible();
  await expect(page).toHaveURL(/tasks=372/);
  await page.reload();
  await lanes(page);
  await expect(chart(page).getByText('cyclictest-372')).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('button', { name: /^cyclictest-372 .*✕/ }).click();
  await expect(chart(page).getByText('cyclictest-372')).toBeHidden();
  await page.goBack();
  await expect(chart(page).getByText('cyclictest-372')).toBeVisible();
});

for (const width of [1280, 1920]) {
  test(`lanes of tasks that are added push nothing down at ${width} pixels`, async ({ page, baseURL }) => {
    await page.setViewportSize({ width, height: 900 });
    const id = await uploadSample(baseURL ?? '', sample);
    await page.goto(`/t/${id}/timeline`);
    await lanes(page);
    const top = (await chart(page).boundingBox())?.y;
    const list = page.getByRole('combobox', { name: 'Add the lane of a task' });
    for (const pid of ['371', '372', '373']) {
      // oxlint-disable-next-line no-await-in-loop -- each is added to those before it
      await list.selectOption(pid);
    }
    await expect(chart(page).getByText('cyclictest-372')).toBeVisible();
    expect((await chart(page).boundingBox())?.y).toBe(top);
  });
}

test('a slice of a CPU leads to the lane of its task, and a slice of that tells its state', async ({
  page,
  baseURL,
}) => {
  const id = await uploadSample(baseURL ?? '', sample);
  await page.goto(`/t/${id}/timeline`);
  await lanes(page);
  const { x, y } = await pointIn(page, 0.6, 0);
  await page.mouse.click(x, y);
  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByRole('button', { name: 'Lane of the task: what it does' }).click();
  await expect(page).toHaveURL(/tasks=\d+/);
  await expect(details.getByRole('button', { name: 'Lane of the task: what it does' })).toBeHidden();
  // The new lane must be there before a key can lead to it.
  await lanes(page);
  await page.keyboard.press('ArrowUp');
  await expect(details).toContainText('State of a task');
  await page.keyboard.press('.');
  await expect(details).toContainText(/running on CPU|runnable|preempted|blocked/);
});
