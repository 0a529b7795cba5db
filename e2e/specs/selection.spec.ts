import { readFile } from 'node:fs/promises';

import { expect, test, type Page } from '@playwright/test';

import { traceLinks } from '../support/catalog.ts';
import { recordingOf } from '../support/recording.ts';

/** Uploads recordings with these names, and opens the catalog with nothing else in it, first name first. */
async function openCatalogOf(page: Page, baseURL: string, group: string, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    const name = `${group}-${number}`;
    const answer = await fetch(`${baseURL}/api/v1/traces?filename=${name}.txt`, {
      method: 'POST',
      body: recordingOf(name),
    });
    expect(answer.ok).toBe(true);
  }
  await page.goto(`/?v=1&q=${group}&sort=name`);
  await expect(traceLinks(page)).toHaveCount(count);
}

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected traces' });
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const boxes = (page: Page) => page.getByRole('checkbox', { name: /^Select pick/ });

test('rows are selected by clicks and keys, and nothing moves', async ({ page, baseURL }) => {
  await openCatalogOf(page, baseURL ?? '', 'pick', 5);
  await expect(bar(page)).toContainText('5 traces');
  const before = await traceLinks(page).first().boundingBox();

  await box(page, 'pick-2').click();
  await box(page, 'pick-4').click({ modifiers: ['Shift'] });
  await expect(bar(page)).toContainText('3 selected');
  await expect(boxes(page).and(page.locator(':checked'))).toHaveCount(3);
  expect(await traceLinks(page).first().boundingBox()).toEqual(before);

  await page.keyboard.press('Escape');
  await expect(bar(page)).toContainText('5 traces');
  await traceLinks(page).nth(1).focus();
  await page.keyboard.press('x');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+X');
  await expect(bar(page)).toContainText('3 selected');
  await page.keyboard.press('x');
  await expect(bar(page)).toContainText('2 selected');

  await page.getByRole('checkbox', { name: 'Select all traces on this page' }).click();
  await expect(bar(page)).toContainText('5 selected');
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(boxes(page).and(page.locator(':checked'))).toHaveCount(0);
  // The box belongs to the row, and does not open it.
  await expect(page).toHaveURL(/q=pick/);
});

test('what was selected is so again when Back leads from its comparison', async ({ page, baseURL }) => {
  await openCatalogOf(page, baseURL ?? '', 'back', 3);
  await box(page, 'back-1').click();
  await box(page, 'back-3').click();
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page).toHaveURL(/\/compare\?/);
  await page.goBack();
  await expect(bar(page)).toContainText('2 selected');
  await expect(box(page, 'back-3')).toBeChecked();
  await page.reload();
  await expect(bar(page)).toContainText('2 selected');
  await expect(box(page, 'back-3')).toBeChecked();
  // Whoever comes anew has chosen nothing yet.
  await page.getByRole('link', { name: 'Experiments' }).click();
  await page.getByRole('link', { name: 'Traces', exact: true }).click();
  await expect(bar(page)).toContainText('Select traces');
});

test('all that match are labelled, exported and deleted at once', async ({ page, baseURL }) => {
  await openCatalogOf(page, baseURL ?? '', 'bulk', 4);
  await box(page, 'bulk-1').click();
  await page.getByRole('button', { name: 'Select all 4' }).click();
  await box(page, 'bulk-3').click();
  await expect(bar(page)).toContainText('3 selected');

  await page.getByRole('button', { name: 'Label' }).click();
  await page.keyboard.type('board=rpi5');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Changed the labels of 3 traces.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'board=rpi5' })).toHaveCount(3);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain('worst_duration_ns');

  await page.getByRole('button', { name: 'Label' }).click();
  await page.getByRole('checkbox', { name: 'board' }).check();
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('button', { name: 'board=rpi5' })).toHaveCount(0);

  await bar(page).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.getByRole('button', { name: 'Delete 3 traces' }).click();
  await expect(page.getByText('Deleted 3 traces.')).toBeVisible();
  await expect(traceLinks(page)).toHaveText(['bulk-3']);
});
