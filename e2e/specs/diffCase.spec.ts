import { expect, test, type Page } from '@playwright/test';

import { numbersOf, worstCase } from '../support/diff.ts';
import { holdBack } from '../support/holdBack.ts';
import { lanes } from '../support/lanes.ts';

const events = (page: Page) => page.getByRole('treegrid', { name: 'Events of both sides' });

/** The page of the worst late timer of a recording of events. */
async function openWorstTimer(page: Page, baseURL: string | undefined): Promise<void> {
  await page.goto((await worstCase(page, baseURL, 'cyclictest-6.12-rt.report.txt.zst', 'timer')).path);
  await expect(page.getByRole('link', { name: /Compare with normal/ })).toBeVisible();
}

/** The number in `+1,048 ns`. */
const nsOf = (text: string) => Number(text.replace('−', '-').replaceAll(/[^\d-]/g, ''));

test('a case without calls is compared by its events, and every nanosecond has its place', async ({
  page,
  baseURL,
}) => {
  await openWorstTimer(page, baseURL);
  await page.keyboard.press('n');
  await expect(page).toHaveURL(/\/diff\?.*abnormal=/);
  // Causes first, then the order of events.
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/^\+.*: .* (more|longer)/);
  await expect(page.getByRole('table', { name: 'Causes of both sides' })).toBeVisible();
  await expect(
    page.getByText('from the exit of irq local_timer to sched_stat_runtime (extra)'),
  ).toBeVisible();
  await lanes(page);
  await expect(page.getByRole('button', { name: 'all others' })).toBeVisible();

  const [first] = await numbersOf(events(page).getByRole('row').filter({ hasText: 'timer' }).first());
  await page.getByRole('button', { name: 'as a table' }).click();
  const cells = page.getByRole('dialog').getByRole('row');
  const selfDeltas = await cells.locator('td:last-child').allInnerTexts();
  const sum = selfDeltas.reduce((all, text) => all + nsOf(text), 0);
  expect(selfDeltas.length).toBeGreaterThan(5);
  expect(sum).toBe(nsOf(await cells.nth(1).locator('td').nth(5).innerText()));
  expect(first).toBe('50.338');
});

test('an event that only the late one has is chosen in the list, in the tree and under the charts', async ({
  page,
  baseURL,
}) => {
  await openWorstTimer(page, baseURL);
  await page.keyboard.press('n');
  await page.getByRole('button', { name: /^exit of irq local_timer/ }).click();
  const selected = events(page).getByRole('row', { selected: true });
  await expect(selected).toContainText('exit of irq local_timer');
  expect((await numbersOf(selected)).slice(0, 3)).toEqual(['35.000', '–', '+35.000']);
  await expect(page.getByTestId('diff-hover')).toContainText('only in the abnormal run');
  await page.keyboard.press('j');
  await expect(selected).toContainText('sched_stat_runtime');
});

test('the charts arrive without moving what is below them', async ({ page, baseURL }) => {
  await openWorstTimer(page, baseURL);
  await page.keyboard.press('n');
  await lanes(page);
  const release = await holdBack(page, /\/assets\/charts-.*\.js$/);
  await page.reload();
  await expect(page.getByText('Loading the charts')).toBeVisible();
  const event = page.getByRole('button', { name: /^exit of irq local_timer/ });
  const before = await event.boundingBox();
  release();
  await lanes(page);
  expect(await event.boundingBox()).toEqual(before);
});

test('another case can be picked to compare with, and the two change places', async ({ page, baseURL }) => {
  await openWorstTimer(page, baseURL);
  await page.keyboard.press('n');
  const headline = page.getByRole('heading', { level: 1 });
  await expect(headline).toContainText(/^\+/);
  const before = await headline.innerText();
  await page.keyboard.press('x');
  await expect(headline).toContainText(/^−/);
  await page.keyboard.press('x');
  await expect(headline).toHaveText(before);
  await page.keyboard.press('p');
  await expect(page.getByRole('dialog')).toBeVisible();
});
