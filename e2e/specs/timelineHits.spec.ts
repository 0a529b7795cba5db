import { readFile } from 'node:fs/promises';

import { expect, test, type Page } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { lanes, pointIn } from '../support/lanes.ts';
import { uploadSample } from '../support/trace.ts';

const sample = 'cyclictest-load-6.12-rt.txt.zst';

/** From the first page to the lanes of the sample. */
async function openLanes(page: Page, baseURL: string | undefined): Promise<void> {
  const id = await uploadSample(baseURL ?? '', sample);
  await page.goto('/');
  // By search, because other tests fill the first page.
  await page.getByRole('searchbox', { name: 'Search traces' }).fill('cyclictest under load');
  await page.locator(`a[href="/t/${id}"]`).first().click();
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await lanes(page);
}

const hits = (page: Page) => page.getByTestId('hits');

/** How many events match, and how many of them are in view. */
async function counts(page: Page): Promise<readonly [number, number]> {
  await expect(hits(page)).toHaveText(/^[\d,]+ events match, [\d,]+ in view$/);
  const [all = '', shown = ''] = (await hits(page).innerText()).match(/\d[\d,]*/g) ?? [];
  return [Number(all.replaceAll(',', '')), Number(shown.replaceAll(',', ''))];
}

test('matches of the filter are ticks on the lanes, counted, and led to by key and button', async ({
  page,
  baseURL,
}) => {
  await openLanes(page, baseURL);
  await page.keyboard.press('/');
  // At once, since what was typed so far has matches of its own.
  await page.keyboard.insertText('event:sched_migrate_task');
  const [all, shown] = await counts(page);
  expect(all).toBe(shown);
  const ticks = page.getByTestId('hits-cpu0');
  await expect(ticks).toBeVisible();
  const onCpus = await Promise.all(
    [0, 1].map(async (cpu) =>
      Number((await page.getByTestId(`hits-cpu${cpu}`).innerText()).replaceAll(',', '')),
    ),
  );
  expect(onCpus.reduce((sum, count) => sum + count, 0)).toBe(all);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('event:sched_migrate_task');
  await page.getByRole('combobox', { name: 'Filter events' }).blur();
  await expect(page).toHaveURL(/q=event:sched_migrate_task/);
  for (const _ of [1, 2, 3, 4, 5, 6, 7, 8]) await page.keyboard.press('w');
  await expect(page).toHaveURL(/window=/);
  await expect(async () => {
    const [whole, part] = await counts(page);
    expect(whole).toBe(all);
    expect(part).toBeLessThan(all);
  }).toPass();
  await page.keyboard.press('n');
  await expect(page).toHaveURL(/event=cpu\d@\d+/);
  const first = /event=([^&]+)/.exec(page.url())?.[1] ?? '';
  await page.getByRole('button', { name: 'Next match in the whole trace (N)' }).click();
  await expect(page).not.toHaveURL(new RegExp(`event=${first}(&|$)`));
  await page.keyboard.press('Shift+N');
  await expect(page).toHaveURL(new RegExp(`event=${first}(&|$)`));
  await expectNoViolations(page);
});

test('the lanes of a task have ticks of their own, as many as match of it', async ({ page, baseURL }) => {
  const id = await uploadSample(baseURL ?? '', sample);
  await page.goto(`/t/${id}/timeline?tasks=371,372&q=event:sched_waking`);
  await lanes(page);
  for (const pid of [371, 372]) {
    const query = encodeURIComponent(`event:sched_waking pid:${pid}`);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const answer = await page.request.get(`/api/v1/traces/${id}/event-counts?width=60&q=${query}`);
    const { count, next } = (await answer.json()) as {
      count: number;
      next: string | null;
    };
    expect(next).toBeNull();
    // oxlint-disable-next-line no-await-in-loop -- as above
    await expect(page.getByTestId(`hits-task${pid}`)).toHaveText(count.toLocaleString('en-US'));
  }
});

test('a selected stretch is summed up by name, task and CPU, sorted and saved', async ({ page, baseURL }) => {
  await openLanes(page, baseURL);
  await page.getByRole('button', { name: 'to select' }).click();
  const from = await pointIn(page, 0.2, 0);
  const to = await pointIn(page, 0.6, 0);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, to.y);
  await page.mouse.move(to.x, to.y);
  await page.mouse.up();
  const table = page.getByRole('table', { name: 'Time of the selected range' });
  await expect(table.getByText(/^hackbench ×\d+$/)).toBeVisible();
  await expectNoViolations(page);
  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByRole('button', { name: 'CPU', exact: true }).click();
  await expect(page).toHaveURL(/by=cpu/);
  await expect(table.getByRole('columnheader', { name: 'CPU' })).toBeVisible();
  await details.getByRole('button', { name: 'task', exact: true }).click();
  await table.getByRole('button', { name: 'longest, whole' }).click();
  await expect(table.getByRole('columnheader', { name: 'longest, whole' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await expect(page).toHaveURL(/sort=-longest/);
  const saving = page.waitForEvent('download');
  await details.getByRole('button', { name: 'Save as CSV' }).click();
  const text = await readFile(await (await saving).path(), 'utf8');
  const [head = '', ...rows] = text.trimEnd().split('\r\n');
  expect(head).toContain('total (ns)');
  expect(rows.length).toBeGreaterThan(20);
  await page.reload();
  await expect(table.getByRole('columnheader', { name: 'longest, whole' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
});
