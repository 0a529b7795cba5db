import { expect, test, type Locator } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { traceLinks } from '../support/catalog.ts';
import { uploadNightlies } from '../support/nightlies.ts';

const NIGHTS = { nights: 24, badSince: 14 };

test('the night that got slower is named, and its worst case is a click away', async ({ page, request }) => {
  const runs = await uploadNightlies(request, 'nightly', NIGHTS);
  await page.goto('/');
  await page.getByRole('searchbox').fill('nightly');
  await expect(traceLinks(page)).toHaveCount(NIGHTS.nights);
  await page.getByRole('checkbox', { name: 'Select all traces on this page' }).click();
  await page.getByRole('button', { name: 'Trend' }).click();

  const headline = page.getByRole('heading', { level: 1 });
  await expect(headline).toContainText(/p99 rose from 51\.00.µs to 81\.00.µs \(\+59.%\) at run 15/);
  await page.getByLabel('in order of').selectOption('build');
  await expect(headline).toContainText('at run 15 (6.12.15)');
  const changes = page.getByRole('region', { name: 'Changes' });
  await expect(changes.getByRole('listitem')).toHaveCount(1);
  await expect(changes).toContainText('nightly-015');
  await expect(changes).toContainText('label commit: c0ffee0, then bad5eed');
  const chart = page.getByRole('img', { name: 'p99 of 24 runs, 1 change' });
  await expect(chart).toHaveAttribute('data-rendered', /p99_ns log/);
  await expectNoViolations(page);

  // The address is the whole state of the page.
  await page.getByRole('button', { name: 'max', exact: true }).click();
  await expect(headline).toContainText('max rose');
  await page.reload();
  await expect(headline).toContainText(/max rose .* \(6\.12\.15\)/);

  await changes.getByRole('link', { name: 'Worst case', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/t/${runs[NIGHTS.badSince]?.id}/cases/`));
  await expect(headline).toContainText('measured 8');
});

test('from a change to its worst case against a normal one, and to all runs before and after', async ({
  page,
  request,
}) => {
  const runs = await uploadNightlies(request, 'nightly', NIGHTS);
  await page.goto('/trend?labels=job:nightly');
  const changes = page.getByRole('region', { name: 'Changes' });
  await changes.getByRole('link', { name: 'Worst case against a normal one before' }).click();
  await expect(page).toHaveURL(new RegExp(`abnormal=${runs[NIGHTS.badSince]?.id}/`));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('+');
  await page.goBack();

  await changes.getByRole('link', { name: 'Compare the runs before and after' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('p99.9 rose from 53 µs to 83 µs');
  const card = page.getByRole('table', { name: 'Variants' });
  await expect(card.getByRole('row').nth(1)).toContainText(/before.*14/);
  await page.getByRole('link', { name: 'Trend', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('at run 15');
});

test('a point opens its worst case by pointer and by key', async ({ page, request }) => {
  const runs = await uploadNightlies(request, 'nightly', NIGHTS);
  await page.goto('/trend?labels=job:nightly&by=build');
  const slider = page.getByRole('slider', { name: 'Run' });
  const strip = page.getByTestId('trend-hover');
  await slider.focus();
  await page.keyboard.press('PageDown');
  await expect(strip).toContainText('nightly-015');
  await page.keyboard.press('ArrowLeft');
  await expect(strip).toContainText('nightly-014');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/t/${runs[13]?.id}/cases/`));
  await page.goBack();

  const box = await slider.boundingBox();
  if (box === null) throw new Error('the chart has no box');
  await slider.click({ position: { x: (box.width * 0.5) / NIGHTS.nights, y: box.height / 2 } });
  await expect(page).toHaveURL(new RegExp(`/t/${runs[0]?.id}/cases/`));
});

test('labels that no trace has, and no labels at all, say what to do', async ({ page }) => {
  await page.goto('/trend?labels=job:never');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No trace has these labels');
  await page.goto('/trend');
  await expect(page.getByText('press Trend')).toBeVisible();
  await page.getByRole('link', { name: 'All traces' }).click();
  await expect(traceLinks(page).first()).toBeVisible();
});

test('the runs before a change become the baseline, and the first slow night fails its check', async ({
  page,
  request,
}) => {
  const runs = await uploadNightlies(request, 'nightly', NIGHTS);
  await page.goto('/trend?labels=job:nightly&by=:name');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('at run 15 (nightly-015)');
  const changes = page.getByRole('region', { name: 'Changes' });
  await changes.getByRole('button', { name: 'Save the runs before as baseline' }).click();
  await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue('Before nightly-015');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();

  const check = page.getByRole('region', { name: 'Check' });
  await expect(check).toContainText('nightly-015');
  await expect(check).toContainText('failed');
  await expect(check).toContainText(/'Before nightly-015' \(14 traces\) has 5\d.µs, .* and it is 8\d.µs/);
  await expectNoViolations(page);
  await check.getByLabel('at most').selectOption('2 × the baseline');
  await expect(check).toContainText('passed');
  await expect(page).toHaveURL(/allow=2/);
  await page.goBack();
  await expect(check).toContainText('failed');

  await check.getByRole('link', { name: 'Compare with the baseline' }).click();
  const card = page.getByRole('table', { name: 'Variants' });
  await expect(card.getByRole('row').nth(1)).toContainText('Before nightly-015');
  await expect(card.getByRole('row').nth(2)).toContainText('checked');
  await page.goBack();
  await check.getByRole('link', { name: 'Worst case' }).click();
  await expect(page).toHaveURL(new RegExp(`/t/${runs[NIGHTS.badSince]?.id}/cases/`));
});

test('runs are saved as a baseline by clicking, and a check against it fails on the slow night', async ({
  page,
  request,
}) => {
  const runs = await uploadNightlies(request, 'nightly', NIGHTS);
  const green = runs.slice(0, NIGHTS.badSince).map(({ id }) => id);
  await page.goto(`/trend?traces=${green.join(',')}`);
  await page.getByRole('button', { name: 'Save as baseline' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Held green');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  const baseline = page.getByRole('combobox', { name: 'baseline' });
  await expect(baseline).toHaveValue('held-green');
  await expect(page.getByText(`${green.length} traces`, { exact: true })).toBeVisible();

  // It has a place of its own, which the palette leads to as well.
  await page.getByRole('link', { name: 'All baselines' }).click();
  const listed = page.getByRole('table', { name: 'Baselines' });
  await expect(listed.getByRole('row', { name: /Held green/ })).toContainText(`${green.length} traces`);
  await expectNoViolations(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('baseline held');
  await page.getByRole('option', { name: /Held green/ }).click();
  await expect(baseline).toHaveValue('held-green');
  await expect(page.getByRole('region', { name: 'Check' })).toBeVisible();

  await page.goto('/trend?labels=job:nightly');
  await baseline.selectOption({ label: 'Held green' });
  await expect(page).toHaveURL(/baseline=held-green/);
  await expect(page.getByRole('img', { name: /with the baseline Held green/ })).toBeVisible();
  await expectNoViolations(page);

  const check = { kind: 'measured', stat: 'p99', op: '<=', value: 'baseline * 1.1', baseline: 'held-green' };
  const slow = runs[NIGHTS.badSince]?.id;
  const answer = await request.post(`/api/v1/traces/${slow}/checks`, { data: [check] });
  const { results } = (await answer.json()) as {
    results: [{ outcome: string; reason: string; baseline: { url: string } }];
  };
  expect(results[0].outcome).toBe('failed');
  expect(results[0].reason).toMatch(/'Held green' \(14 traces\) has 5\d µs, .* and it is 8\d µs/);
  await page.goto(results[0].baseline.url);
  const card = page.getByRole('table', { name: 'Variants' });
  await expect(card.getByRole('row').nth(1)).toContainText('Held green');
  await expect(card.getByRole('row').nth(2)).toContainText('checked');

  await page.goto('/trend?labels=job:nightly&baseline=held-green');
  await page.getByRole('button', { name: 'Delete baseline' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(baseline).toHaveValue('');
  const after = await request.post(`/api/v1/traces/${slow}/checks`, { data: [check] });
  expect(((await after.json()) as { results: [{ outcome: string }] }).results[0].outcome).toBe('undecidable');
});

test('what can be done about a change is on one line, and begins where the page begins', async ({
  page,
  request,
}) => {
  await uploadNightlies(request, 'nightly', NIGHTS);
  await page.goto('/trend?labels=job:nightly&by=:name');
  const changes = page.getByRole('region', { name: 'Changes' });
  const link = changes.getByRole('link', { name: 'Compare the runs before and after' });
  const button = changes.getByRole('button', { name: 'Save the runs before as baseline' });
  await expect(button).toBeVisible();
  const bottomOfWords = (words: Locator) =>
    words.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().bottom;
    });
  expect(Math.abs((await bottomOfWords(button)) - (await bottomOfWords(link)))).toBeLessThan(0.6);
  const first = await changes.getByRole('link', { name: 'Worst case', exact: true }).boundingBox();
  expect(first?.x).toBe(16);
});
