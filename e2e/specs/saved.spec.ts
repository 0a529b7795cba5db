import { expect, test, type Page } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { traceLinks } from '../support/catalog.ts';
import { histogram } from '../support/cyclictest.ts';
import { deleteTrace, uploadText } from '../support/trace.ts';

const headline = (page: Page) => page.getByRole('heading', { level: 1 });
const experiments = (page: Page) => page.getByRole('table', { name: 'Experiments' });

/** Two traces, uploaded by a script, compared by hand. The name makes the files those of one test. */
async function compareTwo(page: Page, baseURL: string, group: string): Promise<readonly string[]> {
  const ids = [];
  for (const side of ['before', 'after']) {
    const text = histogram(1, 20 + group.length, side === 'before' ? 80 : 40);
    ids.push(await uploadText(baseURL, `${group}-${side}.txt`, text));
  }
  await page.goto(`/?v=1&q=${group}`);
  await expect(traceLinks(page)).toHaveCount(2);
  await page.getByRole('checkbox', { name: 'Select all traces on this page' }).click();
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByRole('table', { name: 'Variants' }).getByRole('row')).toHaveCount(3);
  return ids;
}

async function save(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Save…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.type(name);
  await dialog.getByLabel('Note').fill('rpi5, two runs');
  await expectNoViolations(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Its address is a permalink')).toBeVisible();
}

test('a comparison is saved, found again from the first page, renamed and deleted', async ({
  page,
  baseURL,
}) => {
  await compareTwo(page, baseURL ?? '', 'keep');
  const sentence = await headline(page).innerText();
  await save(page, 'Keep this');
  await expect(page).toHaveURL(/\/experiments\/keep-this$/);
  await expect(headline(page)).toHaveText(sentence);

  await page.goto('/');
  await page.getByRole('link', { name: 'Experiments', exact: true }).click();
  await page.getByRole('searchbox').fill('keep rpi5');
  await expect(experiments(page).getByRole('row').nth(1)).toContainText(/Keep this.*rpi5, two runs/);
  await page.setViewportSize({ width: 2560, height: 1440 });
  expect((await experiments(page).boundingBox())?.width).toBeLessThanOrEqual(1280);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Rename Keep this' }).click();
  await page.keyboard.type('Kept');
  await page.keyboard.press('Enter');
  await experiments(page).getByRole('link', { name: 'Kept' }).click();
  await expect(page).toHaveURL(/\/experiments\/keep-this$/);
  await expect(headline(page)).toHaveText(sentence);
  await expect(page.getByRole('toolbar', { name: 'Experiment' })).toContainText('Kept');

  // The palette leads to it, too.
  await page.goBack();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('comparison kept');
  await page.getByRole('option', { name: /Kept/ }).click();
  await expect(headline(page)).toHaveText(sentence);

  await page.goBack();
  await page.getByRole('button', { name: 'Delete Kept' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No experiment matches')).toBeVisible();
  await page.goto('/experiments/keep-this');
  await expect(page.getByText("There is no experiment 'keep-this'.")).toBeVisible();
  await page.getByRole('link', { name: 'Saved experiments' }).click();
  await expect(page).toHaveURL(/\/experiments$/);
});

test('what is changed on its page is in the address until it is saved', async ({ page, baseURL }) => {
  await compareTwo(page, baseURL ?? '', 'change');
  await save(page, 'Change this');
  const bar = page.getByRole('toolbar', { name: 'Experiment' });
  await page.getByRole('button', { name: 'percentiles' }).click();
  await expect(bar).toContainText('changed since it was saved');
  await page.reload();
  await expect(page.getByRole('button', { name: 'percentiles' })).toHaveAttribute('aria-pressed', 'true');
  await bar.getByRole('button', { name: 'Undo changes' }).click();
  await expect(page.getByRole('button', { name: 'histogram' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'shelves' }).click();
  await bar.getByRole('button', { name: 'Save changes' }).click();
  await expect(bar).not.toContainText('changed');
  await page.goto('/experiments/change-this');
  await expect(page.getByRole('button', { name: 'shelves' })).toHaveAttribute('aria-pressed', 'true');
});

test('traces that were deleted since are told', async ({ page, baseURL }) => {
  const [before = '', after = ''] = await compareTwo(page, baseURL ?? '', 'deleted');
  await save(page, 'Partly gone');
  await deleteTrace(baseURL ?? '', before);
  await page.reload();
  await expect(page.getByText('1 trace of this comparison was deleted since')).toContainText(
    'Nothing is left of before',
  );
  await expect(page.getByRole('table', { name: 'Variants' }).getByRole('row')).toHaveCount(2);
  await deleteTrace(baseURL ?? '', after);
  await page.reload();
  await expect(headline(page)).toHaveText('The traces of this comparison were deleted');
  await page.getByRole('link', { name: 'Saved experiments' }).click();
  await expect(experiments(page).getByRole('link', { name: 'Partly gone' })).toBeVisible();
});
