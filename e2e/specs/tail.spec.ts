import { expect, test, type Page } from '@playwright/test';

import { openTrace } from '../support/catalog.ts';

const trace = 'cyclictest under load, PREEMPT_RT';

async function openTail(page: Page) {
  await openTrace(page, trace);
  const tail = page.getByRole('region', { name: 'Cyclic latency: tail' });
  await expect(tail.locator('[data-rendered]')).toBeVisible();
  return tail;
}

const cases = (page: Page) => page.getByRole('table', { name: 'Worst cases' });

test('a band of the tail lists its cases, and the address keeps it', async ({ page }) => {
  const tail = await openTail(page);
  await expect(tail.getByText(/^Cyclic latency, the slowest /)).toBeVisible();
  const slowest = tail.getByRole('button', { name: /^Cases of / }).last();
  const words = await slowest.getAttribute('aria-label');
  const count = Number(/: (\d+) sample/.exec(words ?? '')?.[1]);
  await slowest.click();
  await expect(page).toHaveURL(/worst=kind/);
  await expect(page).toHaveURL(/band=\d+-\d+/);
  await expect(cases(page).locator('tbody tr')).toHaveCount(Math.min(20, count));
  // The picture stays for the next click; the way to the list is with it.
  await expect(slowest).toBeInViewport();
  const chosen = page.getByRole('group', { name: 'Chosen' });
  await expect(chosen).toContainText(`${count} sample`);
  await chosen.getByRole('button', { name: 'Show the cases' }).click();
  await expect(cases(page)).toBeInViewport();
  await page.keyboard.press('Tab');
  await expect(cases(page).locator('tbody a').first()).toBeFocused();
  const listed = await cases(page).locator('tbody tr').first().innerText();
  await page.reload();
  await expect(slowest).toHaveAttribute('aria-pressed', 'true');
  await expect(cases(page).locator('tbody tr').first()).toHaveText(listed, { useInnerText: true });
  // The same button takes all samples again.
  await slowest.click();
  await expect(page).not.toHaveURL(/band=/);
  await page.goBack();
  await expect(page).toHaveURL(/band=/);
});

test('the tail is used without a mouse, and has a table', async ({ page }) => {
  const tail = await openTail(page);
  const ordinary = tail.getByRole('button', { name: /^Cases of 0-50\s%/ });
  await ordinary.focus();
  await expect(page.getByTestId('tail-hover')).toContainText('0-50');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/band=/);
  await tail.getByRole('button', { name: 'Show the tail as a table' }).click();
  const rows = page.getByRole('dialog').locator('tbody tr');
  await expect(rows.first()).toContainText('0-50');
  // The causes of a band add up to all of its time.
  const shares = await rows.filter({ hasText: '0-50' }).locator('td:last-child').allInnerTexts();
  const sum = shares.reduce((all, text) => all + (Number.parseFloat(text) || 0), 0);
  expect(Math.abs(sum - 100)).toBeLessThan(0.1 * shares.length);
});
