import { expect, test, type Page } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { traceLinks } from '../support/catalog.ts';
import { histogram } from '../support/cyclictest.ts';
import { uploadText } from '../support/trace.ts';

/** Five runs before a change and five after it, uploaded by hand on the first page. */
async function uploadRuns(page: Page, experiment: string): Promise<void> {
  const files = ['before', 'after'].flatMap((side) =>
    [1, 2, 3, 4, 5].map((run) => ({
      name: `${experiment}-run${run}-${side}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from(histogram(run, experiment.length, (side === 'before' ? 80 : 40) + run)),
    })),
  );
  await page.goto('/');
  await page.getByLabel('Traces to upload').setInputFiles(files);
  await page.getByRole('searchbox').fill(experiment);
  await expect(traceLinks(page)).toHaveCount(10);
  await expect(page.getByRole('cell', { name: 'ready' })).toHaveCount(10);
}

test('runs before and after a change are compared in two clicks', async ({ page }) => {
  await uploadRuns(page, 'shorter');
  await page.getByRole('checkbox', { name: 'Select all traces on this page' }).click();
  await page.getByRole('button', { name: 'Compare' }).click();

  await expect(page.getByRole('heading', { level: 1 })).toContainText(
    /p99 fell from 83 µs to 43 µs \(−48 %, 95 % interval/,
  );
  const card = page.getByRole('table', { name: 'Variants' });
  await expect(card.getByRole('row')).toHaveCount(3);
  await expect(card.getByRole('row').nth(1)).toContainText(/before.*baseline.*5.*5,000/);
  await expect(card.getByRole('row').nth(2)).toContainText('−48');
  await expect(page.getByRole('img', { name: 'Distribution of all variants' })).toHaveAttribute(
    'data-rendered',
    /histogram/,
  );
  await expectNoViolations(page);

  await page.getByLabel('rows').selectOption({ label: 'source' });
  const strata = page.getByRole('table', { name: 'Strata' });
  await expect(strata.getByRole('row').nth(0)).toHaveText(/source.*before.*after/);
  await expect(strata.getByRole('row').nth(1)).toContainText(/cyclictest thread 0.*5,000 samples.*5,000/);

  // The address is the whole state of the page.
  await page.getByRole('button', { name: 'percentiles' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'percentiles' })).toHaveAttribute('aria-pressed', 'true');
  await expect(card.getByRole('row').nth(2)).toContainText('after');
  await expect(strata.getByRole('row')).toHaveCount(2);

  await card.getByRole('row').nth(1).getByTitle('Open the worst case of this variant').click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('measured 85 µs');
});

test('variants are parted anew, renamed, reordered and left out', async ({ page }) => {
  await uploadRuns(page, 'parted');
  await page.getByRole('checkbox', { name: 'Select all traces on this page' }).click();
  await page.getByRole('button', { name: 'Compare' }).click();
  const card = page.getByRole('table', { name: 'Variants' });
  await expect(card.getByRole('row')).toHaveCount(3);

  await page.getByRole('button', { name: 'Make baseline' }).click();
  await expect(card.getByRole('row').nth(1)).toContainText(/after.*baseline/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('p99 rose from 43 µs to 83 µs');
  await page.goBack();
  await expect(card.getByRole('row').nth(1)).toContainText(/before.*baseline/);

  await page.getByLabel('Name of variant 2').fill('with the patch');
  await page.keyboard.press('Enter');
  await expect(card.getByRole('row').nth(2)).toContainText('with the patch');

  await page.getByLabel('split by').selectOption({ label: 'each trace' });
  await expect(card.getByRole('row')).toHaveCount(11);
  await page.getByRole('button', { name: 'Leave out parted-run1-after', exact: true }).click();
  await expect(card.getByRole('row')).toHaveCount(10);
});

test('without traces the page says where to begin', async ({ page }) => {
  await page.goto('/compare');
  await expect(page.getByText('Select traces on the first page')).toBeVisible();
  await page.getByRole('link', { name: 'All traces' }).click();
  await expect(traceLinks(page).first()).toBeVisible();
});

test('a trace is compared with its likes in two clicks from its page', async ({ page, baseURL }) => {
  const url = baseURL ?? '';
  const label = async (id: string, load: string) => {
    await fetch(`${url}/api/v1/traces/${id}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ labels: { board: 'two-clicks', load } }),
    });
  };
  const idle = await uploadText(url, 'two-clicks-idle.txt', histogram(1, 61, 80));
  const loads = [];
  for (const run of [2, 3]) {
    loads.push(await uploadText(url, `two-clicks-load-${run}.txt`, histogram(run, 61, 90)));
  }
  await label(idle, 'none');
  await Promise.all(loads.map((id) => label(id, 'heavy')));

  await page.goto(`/t/${idle}`);
  await page.getByRole('button', { name: 'Compare with other traces…' }).click();
  const rows = page.getByRole('table', { name: 'Traces to compare with' }).getByRole('row');
  await expect(rows.nth(1)).toContainText(
    /two-clicks-load.*board=two-clicks, load=heavy.*all labels but load/,
  );
  await expectNoViolations(page);
  await rows.nth(1).getByRole('link').click();
  const card = page.getByRole('table', { name: 'Variants' });
  await expect(card.getByRole('row')).toHaveCount(3);
  await expect(card.getByRole('row').nth(1)).toContainText(/none.*baseline/);

  await page.goBack();
  await page.keyboard.press('n');
  await page.getByRole('link', { name: 'All by load: none, heavy' }).click();
  await expect(card.getByRole('row').nth(2)).toContainText(/heavy.*2.*2,000/);
});
