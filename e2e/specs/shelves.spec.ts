import { expect, test } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { traceLinks } from '../support/catalog.ts';
import { ftqFiles } from '../support/ftq.ts';

test('counts and traces of three kernels tell what a tick takes', async ({ page }) => {
  await page.goto('/');
  await page.getByLabel('Traces to upload').setInputFiles([...ftqFiles('quanta')]);
  await page.getByRole('searchbox').fill('quanta');
  await expect(traceLinks(page)).toHaveCount(6);
  await expect(page.getByRole('cell', { name: 'ready' })).toHaveCount(6);
  await page.getByRole('checkbox', { name: 'Select all traces on this page' }).click();
  await page.getByRole('button', { name: 'Compare' }).click();

  const sentences = page.getByRole('banner').or(page.locator('header')).locator('dl');
  await expect(sentences).toContainText(
    /hz250.*the tick \(interrupt local_timer\) takes 13\.7\sµs in 26\s% of its quanta, 0\.35\s% of the time/,
  );
  await expect(sentences).toContainText(
    /hz1000.*the tick \(interrupt local_timer\) takes 13\.7\sµs in 100\s% of its quanta/,
  );
  await expect(sentences).toContainText(/nohz.*12\.8\sµs are missing in 85\s%.*no record of what took them/);

  const shelves = page.getByRole('table', { name: 'Shelves' });
  await expect(shelves.getByRole('row')).toHaveCount(6);
  await expect(shelves).toContainText(/hz250.*1,093 – 1,094.*the most work in a quantum/);
  await expect(shelves).toContainText(/hz250.*1,078 – 1,079.*13\.71\sµs.*the tick.*250 a second/);
  await expect(shelves).toContainText(/nohz.*1,079 – 1,080.*12\.80\sµs.*no record of what took it/);
  const ticks = page.getByRole('list', { name: 'The tick, by the shelves and by the trace' });
  await expect(ticks).toContainText(
    /hz1000.*13\.7\sµs × 1000 Hz = 1\.37\s% by the shelves; 12\sµs × 1000 Hz = 1\.2\s% of CPU 1 by the trace/,
  );
  await ticks.getByText('Why they differ').first().click();
  await expect(ticks).toContainText('more than lies between its two events');

  const picture = page.getByRole('img', { name: 'Distribution of all variants' });
  await expect(picture).toHaveAttribute('data-rendered', /shelves linear/);
  await expect(page.getByTestId('distribution-hover')).toContainText('cut off below');
  await expectNoViolations(page);

  // On a phone each shelf is beside what took it, and the page does not scroll sideways.
  await page.setViewportSize({ width: 420, height: 900 });
  for (const words of ['1,079 – 1,080', 'no record of what took it']) {
    const cell = shelves.getByText(words).first();
    await cell.scrollIntoViewIfNeeded(); // oxlint-disable-line no-await-in-loop -- one after the other
    await expect(cell).toBeInViewport({ ratio: 1 }); // oxlint-disable-line no-await-in-loop -- as above
  }
  const least = page.getByRole('table', { name: 'Variants' }).getByRole('columnheader', { name: 'min' });
  await least.scrollIntoViewIfNeeded();
  await expect(least).toBeInViewport({ ratio: 1 });
  expect(await page.getByRole('main').evaluate((main) => main.scrollWidth)).toBeLessThanOrEqual(420);
  await expectNoViolations(page);
});

test('the page of counts opens on the values that they keep to', async ({ page }) => {
  await page.goto('/');
  const counts = ftqFiles('first look').filter(({ name }) => name.endsWith('.tsv'));
  await page.getByLabel('Traces to upload').setInputFiles(counts.slice(0, 1));
  await page.getByRole('searchbox').fill('first look');
  await expect(page.getByRole('cell', { name: 'ready' })).toHaveCount(1);
  await traceLinks(page).first().click();
  // The less work was done in a quantum, the worse.
  const values = (end: string) => page.getByRole('table', { name: `${end} values` }).getByRole('row');
  const first = async (end: string) =>
    Number((await values(end).nth(1).getByRole('cell').nth(1).innerText()).replace(',', ''));
  await expect(values('Smallest')).toHaveCount(6);
  const least = await first('Smallest');
  await page.getByRole('button', { name: 'largest', exact: true }).click();
  await expect(page).toHaveURL(/extreme=largest/);
  await expect(values('Largest')).toHaveCount(6);
  await expect.poll(() => first('Largest')).toBeGreaterThan(least);
  await page.getByRole('button', { name: 'smallest', exact: true }).click();
  await values('Smallest').nth(1).getByRole('link').first().click();
  await expect(page.getByRole('navigation', { name: 'Cases of this kind' })).toContainText('the worst of');
  await page.goBack();
  await expect(page.getByRole('button', { name: 'shelves', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(page.getByTestId('distribution-hover')).toContainText('sorted samples');
  await page.getByRole('button', { name: 'histogram', exact: true }).click();
  await expect(page.getByTestId('distribution-hover')).toContainText('samples by value');
});
