import { expect, test, type Locator, type Page } from '@playwright/test';

import { openWorkedPair, slowestCall, tree, worstCase } from '../support/diff.ts';
import { lanes } from '../support/lanes.ts';

const graph = 'timer-interrupt-6.12.txt.zst';
const cyclictest = 'cyclictest-load-6.12-rt.txt.zst';

const headline = (page: Page): Locator => page.getByRole('heading', { level: 1 });

/** What a comparison shows: its sentence, sides, switches and tree. */
async function seen(page: Page): Promise<string> {
  await lanes(page);
  const pressed = page.locator('[aria-pressed="true"], [aria-selected="true"]');
  const parts = await Promise.all([
    headline(page).innerText(),
    page.locator('dl').first().innerText(),
    page.getByRole('slider').getAttribute('aria-valuetext'),
    pressed.allInnerTexts(),
    tree(page).getByRole('row').allInnerTexts(),
  ]);
  return JSON.stringify(parts, undefined, 1);
}

/** The page shows the same after a reload, and to another person who opens its address. */
async function expectToSurvive(page: Page): Promise<void> {
  const before = await seen(page);
  await page.reload();
  await expect.poll(() => seen(page)).toBe(before);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect.poll(() => seen(other)).toBe(before);
  await other.close();
}

test('a comparison survives a reload with what is chosen, closed and coloured', async ({ page, baseURL }) => {
  await openWorkedPair(page, baseURL);
  await page.getByRole('button', { name: /^ktime_get, hrtimer_forward/ }).click();
  await expect(page).toHaveURL(/row=\d+/);
  await page.getByRole('button', { name: 'total' }).click();
  await expect(page).toHaveURL(/colour=total/);
  await expectToSurvive(page);
  const selected = tree(page).getByRole('row', { selected: true });
  await selected.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(page).toHaveURL(/toggled=/);
  await expect(selected).toHaveAttribute('aria-expanded', 'false');
  await expectToSurvive(page);
});

test('a comparison survives a reload with its noise floor and its sides swapped', async ({
  page,
  baseURL,
}) => {
  await openWorkedPair(page, baseURL);
  await page.getByRole('slider').focus();
  for (let pressed = 0; pressed < 4; pressed += 1) await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/floor=\d+/);
  await expect(page.getByText(/below the noise floor/)).toBeVisible();
  await page.keyboard.press('x');
  await expect(headline(page)).toContainText('−10.06 µs');
  await expect(page).toHaveURL(/floor=\d+/);
  await expectToSurvive(page);
  await expect(page.getByText(/below the noise floor/)).toBeVisible();
});

test('a comparison survives a reload with the chosen normal side', async ({ page, baseURL }) => {
  const { ref } = await slowestCall(page, baseURL, graph, '__sysvec_apic_timer_interrupt');
  await page.goto(`/diff?abnormal=${ref}`);
  await expectToSurvive(page);
  await page.getByRole('button', { name: 'all others' }).click();
  await expect(page).toHaveURL(/normal=all/);
  await expect(tree(page).getByRole('columnheader', { name: 'in normal' })).toBeVisible();
  await expectToSurvive(page);
  await page.keyboard.press('p');
  const points = page.getByRole('dialog').locator('[data-rendered]');
  const box = await points.boundingBox();
  if (!box) throw new Error('the points have no size');
  // Points are close together, so there is one a little further along the row.
  for (let x = 140; !/[?&]normal=[^&]*call-/.test(page.url()); x += 10) {
    await page.mouse.click(box.x + x, box.y + box.height - 30);
    if (x > box.width) throw new Error('there is no point');
  }
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Compare with…/ })).toHaveAttribute('aria-pressed', 'true');
  await expectToSurvive(page);
});

test('a comparison survives a reload with the stretch that is in sight', async ({ page, baseURL }) => {
  await openWorkedPair(page, baseURL);
  await lanes(page);
  await page.keyboard.press('w');
  await expect(page).toHaveURL(/window=\d+-\d+/);
  // The visible range determines where the bands between the two sides are drawn.
  const band = page.locator('svg g[data-row] path').first();
  const before = await band.getAttribute('d');
  const url = page.url();
  await page.reload();
  await expect(band).toHaveAttribute('d', before ?? '');
  expect(page.url()).toBe(url);
});

test('a case survives a reload with the events and the stretch that it shows', async ({ page, baseURL }) => {
  await page.goto((await worstCase(page, baseURL, cyclictest, 'timer')).path);
  const chart = page.getByRole('group', { name: /^Timeline around the case/ });
  await expect(chart).toBeVisible();
  await page.getByRole('button', { name: /^part of the case/ }).click();
  await expect(page).toHaveURL(/events=relevant/);
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  if (!box) throw new Error('the lanes have no size');
  await page.mouse.move(box.x + box.width / 2, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 120, box.y + 40, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/window=\d+-\d+/);
  const rows = page.getByRole('table', { name: 'Events around the case' }).getByRole('row');
  const before = [await headline(page).innerText(), await rows.count()];
  const stretch = await chart.locator('[data-rendered]').getAttribute('data-rendered');
  const url = page.url();
  await page.reload();
  await expect(chart.locator('[data-rendered]')).toHaveAttribute('data-rendered', stretch ?? '');
  expect([await headline(page).innerText(), await rows.count()]).toEqual(before);
  await expect(page.getByRole('button', { name: 'Back to the case' })).toBeVisible();
  expect(page.url()).toBe(url);
});
