import { expect, test, type Page } from '@playwright/test';

import { openTrace, traceLinks } from '../support/catalog.ts';
import { recordingOf, textFile } from '../support/recording.ts';
import { uploadSample } from '../support/trace.ts';

/** Uploads a recording and opens its page. */
async function openUploaded(page: Page, name: string, text: string): Promise<void> {
  await page.goto('/');
  await page.getByLabel('Traces to upload').setInputFiles(textFile(name, text));
  await page.getByRole('region', { name: 'Uploads' }).getByRole('link', { name }).click();
  await expect(page.locator('article[data-status=ready]')).toBeVisible();
}

async function openSample(page: Page, name: string): Promise<void> {
  await openTrace(page, name);
  await expect(page.locator('article[data-status=ready]')).toBeVisible();
}

test('functions are listed by what they cost', async ({ page }) => {
  await openSample(page, 'Timer interrupt, function_graph');
  const table = page.getByRole('table', { name: 'Functions' });
  await expect(table.getByRole('columnheader', { name: 'Total' })).toHaveAttribute('aria-sort', 'descending');
  await table.getByRole('button', { name: 'Max' }).click();
  await expect(page).toHaveURL(/sort=-max/);
  await page.keyboard.press('/');
  await page.keyboard.type('hrtimer');
  await expect(page).toHaveURL(/q=hrtimer/);
  const names = table.getByRole('row').locator('td:first-child');
  await expect(names.first()).toContainText('hrtimer');
  for (const name of await names.allTextContents()) expect(name).toContain('hrtimer');
});

test('a type of event leads to its events', async ({ page }) => {
  await openSample(page, 'cyclictest under load, PREEMPT_RT');
  const types = page.getByRole('region', { name: 'Events' });
  await expect(types.getByRole('listitem').first()).toContainText('sched_stat_runtime10,618');
  await types.getByRole('link', { name: 'sched_migrate_task' }).click();
  await expect(page).toHaveURL(/q=event:sched_migrate_task/);
  const events = page.getByRole('table', { name: 'Visible events' });
  const rows = events.getByRole('row').filter({ has: page.getByRole('button') });
  await expect(rows.first()).toContainText('sched_migrate_task');
  for (const row of await rows.allTextContents()) expect(row).toContain('sched_migrate_task');
});

test('a line that could not be read is shown with its number', async ({ page }) => {
  const damaged = `${recordingOf('damaged')}this is \u001b[2Jno event\n`;
  await openUploaded(page, 'damaged.txt', damaged);
  const warning = page.getByRole('region', { name: 'Warnings' }).getByRole('button').first();
  await expect(warning).toContainText('line 16');
  await warning.click();
  await expect(page.getByText('this is \\x1b[2Jno event')).toBeVisible();
  await page.reload();
  await expect(page.getByText('this is \\x1b[2Jno event')).toBeVisible();
});

test('a trace is renamed and labelled, and its labels lead to its like', async ({ page }) => {
  await openUploaded(page, 'plain.txt', recordingOf('plain'));
  await page.keyboard.press('r');
  await page.getByLabel('Name of the trace').fill('A better name');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/A better name/);
  await expect(page).toHaveTitle(/A better name/);

  await page.keyboard.press('l');
  const label = page.getByLabel('New label, as name=value');
  await label.fill('nonsense');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('board=rpi5');
  await label.fill('bench=e2e');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Remove bench' })).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'bench=e2e' }).click();
  await expect(page).toHaveURL(/label=bench:e2e/);
  await expect(traceLinks(page)).toHaveText(['A better name']);
});

test('names from a file are only ever text', async ({ page }) => {
  const name = '<img src=x onerror=alert(1)>';
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await openUploaded(page, `${name}.txt`, recordingOf('<b>bold</b>'));
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
  await expect(page.locator('main img, main b')).toHaveCount(0);
  expect(dialogs).toEqual([]);
});

test('the file comes back byte for byte', async ({ page }) => {
  const text = recordingOf('again');
  await openUploaded(page, 'again.txt', text);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download the file' }).click();
  const stream = await (await download).createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toBe(text);
});

test('a trace that is not there says so, and shows the way out', async ({ page }) => {
  await page.goto('/t/nosuchtrace1');
  await expect(page.getByRole('alert')).toContainText('not_found');
  await page.getByRole('link', { name: 'All traces' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('the page begins with what was measured, and a choice of task or class is kept in its link', async ({
  page,
  baseURL,
}) => {
  const id = await uploadSample(baseURL ?? '', 'cyclictest-load-6.12-rt.txt.zst');
  await page.goto(`/t/${id}`);
  const measured = page.getByRole('table', { name: 'What was measured' });
  await expect(measured.getByRole('row').nth(1)).toContainText(/cyclictest-\d+rt 80/);
  const worst = page.getByRole('table', { name: 'Worst cases' });
  const cyclic = worst
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: 'cyclic', exact: true }) });
  await expect(cyclic).toContainText('sleep-');
  await page.getByRole('group', { name: 'class' }).getByRole('button', { name: 'real-time' }).click();
  await expect(page).toHaveURL(/priority=real_time/);
  await expect(cyclic).toContainText('cyclictest-');
  // What is about no task is not among the kinds any more.
  await expect(worst.getByRole('link', { name: 'irq', exact: true })).toHaveCount(0);
  await page.reload();
  await expect(cyclic).toContainText('cyclictest-');
  const tasks = page.getByRole('combobox', { name: 'task', exact: true });
  const sleeper = await tasks
    .locator('option', { hasText: /^sleep-/ })
    .first()
    .innerText();
  await tasks.selectOption({ label: sleeper });
  await expect(page).toHaveURL(/task=\d+/);
  await expect(cyclic).toContainText(sleeper.replace(/ .*/, ''));
  await page.goBack();
  await expect(cyclic).toContainText('cyclictest-');
});

for (const width of [1280, 1440, 1600, 1920]) {
  test(`no sentence is cut on a screen of ${width} pixels`, async ({ page, baseURL }) => {
    const id = await uploadSample(baseURL ?? '', 'cyclictest-load-6.12-rt.txt.zst');
    await page.setViewportSize({ width, height: 900 });
    for (const [address, table] of [
      ['/', 'Traces'],
      [`/t/${id}`, 'Worst cases'],
    ] as const) {
      await page.goto(address);
      const sentences = page.getByRole('table', { name: table }).locator('[data-sentence] > span');
      await expect(sentences.filter({ hasText: 'late' }).first()).toBeVisible();
      const cut = await sentences.evaluateAll((all) =>
        all.filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => one.textContent),
      );
      expect(cut).toEqual([]);
    }
  });
}

test('on a phone the ways out of a trace are in line with its name', async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 420, height: 900 });
  await page.goto(`/t/${await uploadSample(baseURL ?? '', 'cyclictest-load-6.12-rt.txt.zst')}`);
  const download = page.getByRole('link', { name: 'Download the file' });
  await expect(download).toBeVisible();
  expect((await download.boundingBox())?.x).toBe(16);
});
