import { expect, test, type Page } from '@playwright/test';

import { traceLinks } from '../support/catalog.ts';
import { lanes } from '../support/lanes.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

/** Presses Tab until the control of that name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let pressed = 0; pressed < 80; pressed += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const at = document.activeElement;
      return at instanceof HTMLElement ? (at.getAttribute('aria-label') ?? at.innerText) : '';
    });
    if (name.test(focused)) return;
  }
  throw new Error(`no Tab leads to ${name}`);
}

test('worst case, comparison and link, without a mouse', async ({ page }) => {
  await page.goto('/');
  await expect(traceLinks(page).first()).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('Timer interrupt, function_graph');
  await expect(traceLinks(page)).toHaveCount(1);
  await tabTo(page, /^Timer interrupt, function_graph$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table', { name: 'Worst cases' }).getByRole('link').first()).toBeVisible();

  // The first worst case.
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/cases\/call-/);
  const headline = page.getByRole('heading', { level: 1 });
  await expect(headline).toContainText('took 272 µs');

  // Its comparison with a normal one.
  await page.keyboard.press('n');
  await expect(page).toHaveURL(/\/diff\?/);
  await expect(headline).toContainText('+');

  await page.keyboard.press('y');
  await expect(page.getByText('Link copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
});

test('from the worst case over an arrow to its waker, and back to compare it, without a mouse', async ({
  page,
}) => {
  await page.goto('/');
  await expect(traceLinks(page).first()).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('cyclictest under load, PREEMPT_RT');
  await expect(traceLinks(page)).toHaveCount(1);
  await tabTo(page, /^cyclictest under load, PREEMPT_RT$/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table', { name: 'Worst cases' }).getByRole('link').first()).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const headline = page.getByRole('heading', { level: 1 });
  await expect(headline).toContainText('sleep-471 on CPU 1 woke 5.716 ms late');
  const address = new URL(page.url()).pathname;

  // The arrow keys begin at the task of the case, and nothing in sight moves.
  await page.keyboard.press('t');
  await lanes(page);
  const window = await page.getByTestId('window').innerText();
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/slice=task471@/);
  const waiting = page.url();
  await page.keyboard.press('.');
  await expect(page).not.toHaveURL(waiting);
  await expect(page).toHaveURL(/slice=task471@/);
  expect(await page.getByTestId('window').innerText()).toBe(window);
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details.getByRole('listitem').filter({ hasText: 'woken by' }).first()).toBeVisible();
  await page.keyboard.press('[');
  await expect(page).toHaveURL(/event=cpu\d+@\d+/);
  const cause = page.url();
  await page.keyboard.press(']');
  await expect(page).not.toHaveURL(cause);

  // The sentence above the lanes leads back to the case.
  await tabTo(page, /^sleep-471 on CPU\s1 woke/);
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).pathname).toBe(address);
  await page.keyboard.press('n');
  await expect(page).toHaveURL(/\/diff\?/);
  await expect(headline).toContainText('+');
  await page.keyboard.press('y');
  await expect(page.getByText('Link copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
});
