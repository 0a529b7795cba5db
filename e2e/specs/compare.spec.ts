import { expect, test, type Page } from '@playwright/test';

import { traceLinks } from '../support/catalog.ts';
import { summary } from '../support/diff.ts';
import { uploadSample } from '../support/trace.ts';

const headline = (page: Page) => page.getByRole('heading', { level: 1 });
const compare = (page: Page) => page.getByRole('link', { name: /^Compare with normal/ });
const worstCases = (page: Page) => page.getByRole('table', { name: 'Worst cases' });

test('the slow timer interrupt is solved in four clicks, with nothing typed', async ({ page }) => {
  await page.goto('/');
  await traceLinks(page).filter({ hasText: 'Slow timer interrupt' }).click();
  await worstCases(page).getByRole('link').first().click();
  await compare(page).click();
  await page
    .getByRole('table', { name: 'Other traces to compare with' })
    .getByRole('link', { name: 'Normal timer interrupt' })
    .click();
  await expect(headline(page)).toHaveText(summary);
});

test('the same with the key, and back by the list of traces that were used last', async ({
  page,
  baseURL,
}) => {
  const normal = await uploadSample(baseURL ?? '', 'timer-interrupt-normal.txt');
  const slow = await uploadSample(baseURL ?? '', 'timer-interrupt-abnormal-annotated.txt');
  const refused: string[] = [];
  page.on('response', (answer) => void (answer.status() < 400 || refused.push(answer.url())));
  for (const [trace, other] of [
    [slow, normal],
    [normal, slow],
  ] as const) {
    await page.goto(`/t/${other}`);
    await expect(worstCases(page)).toBeVisible();
    await page.goto(`/t/${trace}`);
    await worstCases(page).getByRole('link').first().click();
    await expect(compare(page)).toBeVisible();
    await page.keyboard.press('n');
    await expect(headline(page)).toHaveText('Compare with…');
    const first = page.getByRole('table', { name: 'Other traces to compare with' }).getByRole('link').first();
    await expect(first).toHaveAttribute('href', new RegExp(`normal=${other}/auto`));
    await first.click();
    await expect(headline(page)).toContainText('10.06 µs');
  }
  expect(refused).toEqual([]);
});

test('from a real recording of calls to its sentence in three clicks', async ({ page, baseURL }) => {
  const id = await uploadSample(baseURL ?? '', 'timer-interrupt-6.12.txt.zst');
  await page.goto(`/t/${id}`);
  await worstCases(page).getByRole('link').first().click();
  await compare(page).click();
  await expect(headline(page)).toHaveText(/^\+\d+(\.\d+)?\sµs: /);
  await expect(page.getByRole('treegrid', { name: 'Calls of both sides' })).toBeVisible();
});

test('another trace is chosen from a comparison, too', async ({ page, baseURL }) => {
  const trace = await uploadSample(baseURL ?? '', 'cyclictest-load-6.12-rt.txt.zst');
  await page.goto(`/t/${trace}`);
  await worstCases(page).getByRole('link').first().click();
  await compare(page).click();
  await expect(headline(page)).toContainText(/[+−]/);
  await page.getByRole('button', { name: /^Compare with…/ }).click();
  const others = page.getByRole('table', { name: 'Other traces to compare with' }).getByRole('link');
  await expect(others.first()).toBeVisible();
  await others.first().click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(/normal=[a-z0-9]{12}\/auto/);
  await expect(headline(page)).toContainText(/[+−]/);
});

test('a case that is a call shows its calls over time instead of events', async ({ page, baseURL }) => {
  const id = await uploadSample(baseURL ?? '', 'timer-interrupt-6.12.txt.zst');
  await page.goto(`/t/${id}`);
  await worstCases(page).getByRole('link').first().click();
  const calls = page.getByRole('region', { name: 'Calls' });
  const chart = calls.locator('[data-rendered]');
  await expect(chart).toBeVisible();
  await expect(page.getByRole('region', { name: 'Events' })).toHaveCount(0);
  // A call in the third row is zoomed to, and the address keeps the window.
  const box = await chart.boundingBox();
  await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 69);
  await expect(page).toHaveURL(/calls=\d+-\d+/);
  await calls.getByRole('button', { name: 'Back to the whole call' }).click();
  await expect(page).not.toHaveURL(/calls=/);
  await calls.getByRole('link', { name: 'Open in Calls' }).click();
  await expect(page).toHaveURL(/\/calls\?.*call=call-206@/);
});

test('a tick is compared with a tick, and the other shapes are one click away', async ({ page, baseURL }) => {
  const id = await uploadSample(baseURL ?? '', 'timer-interrupt-6.12.txt.zst');
  await page.goto(`/t/${id}`);
  await worstCases(page).getByRole('link').first().click();
  await compare(page).click();
  const shapes = page.getByRole('group', { name: 'shape' }).getByRole('button');
  const compared = page.getByRole('group', { name: 'shape' }).getByRole('button', { pressed: true });
  await expect(compared).toHaveText(/^tick_nohz_handler.* × 195/);
  const tick = await headline(page).innerText();
  await shapes.first().click();
  await expect(compared).toHaveText(/ × 749/);
  await expect(headline(page)).not.toHaveText(tick);
  await page.getByRole('button', { name: 'the median' }).click();
  await expect(headline(page)).toHaveText(tick);
});
