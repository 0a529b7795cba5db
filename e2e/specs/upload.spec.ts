import { expect, test } from '@playwright/test';

import { holdBack } from '../support/holdBack.ts';

/** A recording that no other test uploads: its unique timestamps make it a separate trace. */
function recording(second: number): string {
  const stamp = (micros: number) => `${second}.${String(micros).padStart(6, '0')}`;
  const switches = [
    `            bash-198     [001] d..2.    ${stamp(76757)}: sched_switch: prev_comm=bash prev_pid=198 prev_prio=120 prev_state=S ==> next_comm=dd next_pid=358 next_prio=120`,
    `              dd-358     [001] d..2.    ${stamp(76857)}: sched_switch: prev_comm=dd prev_pid=358 prev_prio=120 prev_state=S ==> next_comm=bash next_pid=198 next_prio=120`,
  ];
  return ['# tracer: nop', '#', ...switches, ''].join('\n');
}

test('a recording is uploaded, read and opened', async ({ page }) => {
  await page.goto('/');
  await page.getByLabel('Traces to upload').setInputFiles({
    name: 'two-switches.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(recording(Date.now() % 100_000)),
  });
  const upload = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem');
  await expect(upload).toHaveAttribute('data-phase', 'ready');
  await upload.getByRole('link', { name: 'two-switches.txt' }).click();

  await expect(page).toHaveURL(/\/t\/[a-z2-7]{12}$/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('two-switches');
  await expect(page.getByRole('list', { name: 'Facts' })).toContainText('2 events');
});

test('a phone shows the whole name of a file, and the whole of what became of it', async ({ page }) => {
  await page.setViewportSize({ width: 420, height: 900 });
  await page.goto('/');
  const name = `${'a-recording-of-a-long-name-'.repeat(4)}.txt`;
  const buffer = Buffer.from(recording(100_000 + (Date.now() % 100_000)));
  const upload = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem');
  for (const attempt of ['first', 'again']) {
    await page.getByLabel('Traces to upload').setInputFiles({ name, mimeType: 'text/plain', buffer });
    await expect(upload.last()).toHaveAttribute('data-phase', 'ready');
    if (attempt === 'again') await expect(upload.last()).toContainText('already here');
  }
  const cut = await upload
    .locator('> span')
    .evaluateAll((cells) => cells.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length);
  expect(cut).toBe(0);
});

test('a phone shows how far an upload is, under its name and state', async ({ page }) => {
  await page.setViewportSize({ width: 420, height: 900 });
  const release = await holdBack(page, '**/api/v1/traces?**', 'POST');
  await page.goto('/');
  const buffer = Buffer.from(recording(200_000 + (Date.now() % 100_000)));
  await page
    .getByLabel('Traces to upload')
    .setInputFiles({ name: 'slow.txt', mimeType: 'text/plain', buffer });
  const upload = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem');
  const bar = await upload.getByRole('progressbar').boundingBox();
  const words = await upload.getByText('slow.txt').boundingBox();
  if (!bar || !words) throw new Error('the upload is not in sight');
  expect(bar.width).toBeGreaterThan(360);
  expect(bar.y).toBeGreaterThanOrEqual(words.y + words.height);
  release();
  await expect(upload).toHaveAttribute('data-phase', 'ready');
});

test('a file that is no recording is refused with the reason', async ({ page }) => {
  await page.goto('/');
  await page.getByLabel('Traces to upload').setInputFiles({
    name: 'holiday.html',
    mimeType: 'text/html',
    buffer: Buffer.from('<!doctype html><title>Holiday</title>'),
  });
  const upload = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem');
  await expect(upload).toHaveAttribute('data-phase', 'refused');
  await expect(upload).toContainText('not a recording');
  await expect(upload).toContainText('Use trace.dat');
  await expect(upload.getByRole('button', { name: 'Try again' })).toBeHidden();
});

test('many files at once are counted, and leave the list together', async ({ page }) => {
  await page.goto('/');
  const second = Date.now() % 100_000;
  const files = [1, 2, 3].map((number) => ({
    name: `run-${number}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from(recording(second + number * 100_000)),
  }));
  const notes = {
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('call the lab\n'),
  };
  await page.getByLabel('Traces to upload').setInputFiles([...files.slice(0, 2), notes, ...files.slice(2)]);
  const uploads = page.getByRole('region', { name: 'Uploads' });
  // One file after the other is read.
  await expect(uploads).toContainText('4 files: 3 ready, 1 failed', { timeout: 60_000 });
  // What failed is not in the midst of many.
  await expect(uploads.getByRole('listitem').first()).toContainText('notes.txt');
  await uploads.getByRole('button', { name: 'Clear ready' }).click();
  await expect(uploads.getByRole('listitem')).toHaveCount(1);
  await expect(uploads).toContainText('notes.txt');
});
