import { expect, test } from '@playwright/test';

import { uploadSample } from '../support/trace.ts';

test('any field of an event is a series, in the unit that is chosen, here and from a link', async ({
  page,
  baseURL,
}) => {
  const id = await uploadSample(baseURL ?? '', 'cyclictest-load-6.12-rt.txt.zst');
  await page.goto(`/t/${id}`);
  const fields = page.getByRole('combobox', { name: 'event field' });
  await fields.selectOption('timer_start.timeout');
  await expect(page).toHaveURL(/kind=field&field=timer_start.timeout&worst=kind/);
  await expect(page.locator('[data-rendered="timer_start.timeout log"]')).toBeVisible();
  const units = page.getByRole('group', { name: 'in', exact: true });
  await expect(units.getByRole('button', { name: 'no unit' })).toHaveAttribute('aria-pressed', 'true');
  const largest = page.getByRole('table', { name: 'Largest values' });
  await expect(largest.getByRole('columnheader', { name: 'Value' })).toBeVisible();

  await units.getByRole('button', { name: 'µs' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/unit=us/);
  const worst = page.getByRole('table', { name: 'Worst cases' });
  await expect(worst.getByRole('columnheader', { name: 'Duration' })).toBeVisible();
  const length = await worst.getByRole('row').nth(1).getByRole('cell').nth(1).innerText();
  expect(length).toMatch(/^\d+(\.\d+)?\s*ms$/);

  await page.reload();
  await expect(worst.getByRole('row').nth(1).getByRole('cell').nth(1)).toHaveText(length);
  await worst.getByRole('link').first().click();
  await expect(page).toHaveURL(/\/cases\/field\.timer_start\.timeout~us-cpu/);
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText(length);
  await page.getByRole('navigation', { name: 'Cases of this kind' }).getByRole('link').first().click();
  await expect(page).toHaveURL(/field=timer_start.timeout&unit=us/);
});

test('the case of a bare number says when it was, and blames nothing', async ({ page, baseURL }) => {
  const id = await uploadSample(baseURL ?? '', 'cyclictest-load-6.12-rt.txt.zst');
  await page.goto(`/t/${id}?v=1&kind=field&field=sched_switch.next_prio&worst=kind`);
  await page.getByRole('table', { name: 'Largest values' }).getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('sched_switch.next_prio is 120');
  const facts = page.getByRole('region', { name: 'Facts' });
  await expect(facts).toContainText('value120');
  await expect(facts).not.toContainText('ns');
  await expect(page.getByRole('region', { name: 'The way of the case' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Where the time went' })).toHaveCount(0);
});
