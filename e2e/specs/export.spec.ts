import { readFile } from 'node:fs/promises';

import { expect, test, type Page } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { openTrace } from '../support/catalog.ts';
import { holdBack } from '../support/holdBack.ts';
import { lanes } from '../support/lanes.ts';

/** Chooses a format in the open dialog, and reads what the browser saved. */
async function saved(page: Page, format: string): Promise<{ name: string; bytes: Buffer }> {
  const dialog = page.getByRole('dialog', { name: 'Export for another tool' });
  const begun = page.waitForEvent('download');
  await dialog.getByRole('link', { name: format }).click();
  const download = await begun;
  await expect(dialog).toBeHidden();
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test('a case is saved as text, as a page that stands alone, and its ruler as pictures', async ({
  page,
  context,
}) => {
  await openTrace(page, "cyclictest's worst case, with notes");
  const worst = page.getByRole('table', { name: 'Worst cases' });
  await worst.getByRole('link', { name: 'cyclic', exact: true }).click();
  const shown = await page.getByRole('heading', { level: 1 }).innerText();
  // The page keeps a number and its unit on one line.
  const headline = shown.replace(/\s/g, ' ');
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export this case' });
  await expect(dialog.getByRole('button', { name: 'Save the text' })).toBeFocused();
  await expect(dialog).toContainText(headline);
  await expectNoViolations(page);

  const savedBy = async (button: string) => {
    const begun = page.waitForEvent('download');
    await dialog.getByRole('button', { name: button }).click();
    const download = await begun;
    return { name: download.suggestedFilename(), path: await download.path() };
  };
  const text = await savedBy('Save the text');
  expect((await readFile(text.path, 'utf8')).startsWith(headline)).toBe(true);
  const html = await savedBy('Save as HTML');
  expect(html.name).toMatch(/^cyclic-1213.*\.html$/);
  const alone = await context.newPage();
  await alone.setContent(await readFile(html.path, 'utf8'));
  await expect(alone.getByRole('heading', { level: 1 })).toHaveText(headline);
  await expect(alone.getByRole('img', { name: 'Why, on a scale of time' })).toBeVisible();
  const svg = await savedBy('Save the ruler as SVG');
  expect(await readFile(svg.path, 'utf8')).toContain('</svg>');
  const png = await readFile((await savedBy('Save the ruler as PNG')).path);
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(png.readUInt32BE(16)).toBe(2400);
  expect(JSON.parse(await readFile((await savedBy('Save as JSON')).path, 'utf8'))).toMatchObject({
    headline,
  });
});

test('a trace is saved for another tool, and can be uploaded again as text', async ({ page }) => {
  await openTrace(page, 'cyclictest under load, PREEMPT_RT');
  const exports = page.getByRole('button', { name: 'Export…' });
  await exports.click();
  const dialog = page.getByRole('dialog', { name: 'Export for another tool' });
  await expect(dialog.getByRole('link')).toHaveText(['ftrace text', 'Perfetto', 'Chrome JSON']);
  await expect(dialog.getByRole('link', { name: 'ftrace text' })).toBeFocused();
  const perfetto = await saved(page, 'Perfetto');
  expect(perfetto.name).toMatch(/^[A-Za-z0-9._-]+\.perfetto-trace$/);
  // A Trace is packets and nothing else: field 1, with a length.
  expect(perfetto.bytes[0]).toBe(0x0a);
  expect(perfetto.bytes.includes('cyclictest')).toBe(true);

  await exports.click();
  const text = await saved(page, 'ftrace text');
  const lines = text.bytes.toString().split('\n');
  expect(lines[0]).toBe('# tracer: nop');
  await page.goto('/');
  await page
    .getByLabel('Traces to upload')
    .setInputFiles({ name: 'again.txt', mimeType: 'text/plain', buffer: text.bytes });
  await page.getByRole('region', { name: 'Uploads' }).getByRole('link', { name: 'again.txt' }).click();
  await expect(page.locator('article[data-status=ready]')).toBeVisible();
  await expect(page.getByText('54,567 events')).toBeVisible();
});

test('the first format has the focus even where the formats come after the dialog', async ({ page }) => {
  const release = await holdBack(page, '**/api/v1/catalog');
  await openTrace(page, 'cyclictest under load, PREEMPT_RT');
  await page.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export for another tool' });
  await expect(dialog.getByText('Loading the formats')).toBeVisible();
  release();
  await expect(dialog.getByRole('link', { name: 'ftrace text' })).toBeFocused();
});

test('the timeline exports the window that is in sight', async ({ page }) => {
  await openTrace(page, 'cyclictest under load, PREEMPT_RT');
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await lanes(page);
  await page.keyboard.press('w');
  await expect(page).toHaveURL(/window=\d+-\d+/);
  await page.getByRole('button', { name: 'Export…' }).click();
  await expect(page.getByRole('checkbox', { name: /only what is visible/ })).toBeChecked();
  const part = await saved(page, 'ftrace text');
  await page.getByRole('button', { name: 'Export…' }).click();
  await page.getByRole('checkbox', { name: /only what is visible/ }).uncheck();
  const whole = await saved(page, 'ftrace text');
  expect(part.name).toContain('-part.');
  expect(part.bytes.length).toBeGreaterThan(1_000);
  expect(part.bytes.length).toBeLessThan(whole.bytes.length);
});

test('calls are saved for speedscope and flame graphs', async ({ page }) => {
  await openTrace(page, 'Timer interrupt, function_graph');
  await page.getByRole('link', { name: 'Calls', exact: true }).click();
  const exports = page.getByRole('button', { name: 'Export…' });
  await exports.click();
  const profile = JSON.parse((await saved(page, 'speedscope')).bytes.toString()) as {
    profiles: { events: unknown[] }[];
  };
  expect(profile.profiles[0]?.events.length).toBeGreaterThan(10);
  await exports.click();
  const folded = (await saved(page, 'Folded stacks')).bytes.toString();
  expect(folded).toMatch(/^__sysvec_apic_timer_interrupt;hrtimer_interrupt;\S+ \d+$/m);
});
