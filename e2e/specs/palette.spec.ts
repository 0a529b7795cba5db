import { expect, test, type Page } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { lanes } from '../support/lanes.ts';
import { uploadSample } from '../support/trace.ts';

const loaded = 'cyclictest-load-6.12-rt.txt.zst';
const graph = 'timer-interrupt-6.12.txt.zst';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' });
const best = (page: Page) => palette(page).getByRole('option', { selected: true });

/** Opens the palette by its key, types, and does what comes first once that is what it should be. */
async function find(page: Page, query: string, first: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toBeVisible();
  await page.keyboard.type(query);
  await expect(best(page)).toContainText(first);
  await page.keyboard.press('Enter');
  await expect(palette(page)).toBeHidden();
}

test('leads from the first page to a trace, its lanes, a task and a CPU', async ({ page, baseURL }) => {
  const id = await uploadSample(baseURL ?? '', loaded);
  await page.goto('/');
  await page.getByRole('button', { name: 'Command palette Ctrl K' }).click();
  await page.keyboard.type('cyclictest under load');
  const trace = palette(page).getByRole('option', { name: /^trace\s*cyclictest under load/ });
  await trace.click();
  await expect(page).toHaveURL(new RegExp(`/t/${id}$`));
  await find(page, 'timeline', /^page\s*Timeline/);
  await lanes(page);
  await find(page, 'task cyc 372', /^task\s*cyclictest-372/);
  await expect(page).toHaveURL(/tasks=372/);
  await lanes(page);
  await find(page, 'cpu 1', 'CPU 1');
  await expect(page).toHaveURL(/cpu=1&tasks=372/);
  await lanes(page);
  await page.goBack();
  await expect(page).not.toHaveURL(/cpu=1/);
  await find(page, 'zoom in', 'Zoom in');
  await expect(page).toHaveURL(/window=/);
  await find(page, 'case cyclic 5.716', /5\.716\sms/);
  await expect(page).toHaveURL(/\/cases\//);
});

test('begins with the worst cases of a trace, its pages and other traces', async ({ page, baseURL }) => {
  const id = await uploadSample(baseURL ?? '', loaded);
  await page.goto(`/t/${id}/timeline`);
  await lanes(page);
  await page.keyboard.press('Control+k');
  await expect(best(page)).toContainText('sleep-471 on CPU 1 woke 5.716 ms late');
  const options = palette(page).getByRole('option');
  await expect(options.nth(3)).toContainText(/^page\s*Overview/);
  await expect(options.filter({ hasText: /^trace/ }).first()).toBeInViewport();
  await expect(options.filter({ hasText: 'cyclictest under load, PREEMPT_RT' })).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/cases\/cyclic-/);
  // The case that is open is not the next one to open.
  await expect(page.getByRole('heading', { level: 1 })).toContainText('sleep-471');
  await page.keyboard.press('Control+k');
  await expect(best(page)).toContainText(/^case\s*(?!sleep-471)/);
});

test('finds functions, and pages that are about no trace', async ({ page, baseURL }) => {
  await uploadSample(baseURL ?? '', graph);
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Command palette Ctrl K' })).toBeVisible();
  await find(page, 'trace timer interrupt function_graph', 'Timer interrupt, function_graph');
  await find(page, 'function hrtimer_interrupt', 'hrtimer_interrupt');
  await expect(page).toHaveURL(/of=/);
  await find(page, 'experiments', 'Experiments');
  await expect(page).toHaveURL(/\/experiments$/);
  await find(page, 'this server', /^page\s*This server/);
  await expect(page).toHaveURL(/\/server$/);
  await find(page, 'docs latencies', /^docs\s*Latencies/);
  await expect(page).toHaveURL(/\/help\/latencies$/);
});

test('is closed by its key and by Escape, and an action may take the focus', async ({ page, baseURL }) => {
  const id = await uploadSample(baseURL ?? '', loaded);
  await page.goto(`/t/${id}/timeline`);
  await lanes(page);
  const filter = page.getByRole('combobox', { name: 'Filter events' });
  await filter.focus();
  for (const closing of ['Control+k', 'Escape']) {
    await page.keyboard.press('Control+k');
    await expect(palette(page)).toBeVisible();
    await page.keyboard.press(closing);
    await expect(palette(page)).toBeHidden();
    await expect(filter).toBeFocused();
  }
  await filter.blur();
  await find(page, 'filter events', 'Filter events');
  await expect(filter).toBeFocused();
});

test('says its keys as the help does', async ({ page, baseURL }) => {
  const id = await uploadSample(baseURL ?? '', loaded);
  await page.goto(`/t/${id}/timeline`);
  await lanes(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('one screen later');
  await expect(best(page).locator('kbd')).toHaveText('Shift D');
  await page.keyboard.press('Escape');
  await expect(palette(page)).toBeHidden();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keys' });
  const key = help.locator('div', { has: page.getByText('One screen later', { exact: true }) }).last();
  await expect(key.locator('kbd')).toHaveText('Shift D');
  await expect(help.getByText('Ctrl K', { exact: true })).toBeVisible();
});

test('hears a key that is pressed while it closes', async ({ page, baseURL }) => {
  const id = await uploadSample(baseURL ?? '', loaded);
  await page.goto(`/t/${id}/timeline`);
  await lanes(page);
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toBeVisible();
  // What Escape does, and a key before the browser comes to anything else: no person types like that, a busy page does.
  await palette(page).evaluate(async (dialog: HTMLDialogElement) => {
    dialog.requestClose();
    await Promise.resolve();
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }));
  });
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
});

test('can be used by everybody', async ({ page, baseURL }) => {
  const id = await uploadSample(baseURL ?? '', loaded);
  await page.goto(`/t/${id}/timeline`);
  await lanes(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('cyc');
  await page.keyboard.press('ArrowDown');
  await expect(best(page)).toContainText('cyclictest');
  await expectNoViolations(page);
  await page.keyboard.type('zzzzzz');
  await expect(palette(page).getByText('Nothing matches.')).toBeVisible();
  await expectNoViolations(page);
});

test('the keys of what it lists are in one column', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Command palette Ctrl K' })).toBeVisible();
  await page.keyboard.press('Control+k');
  // The list comes with the newest traces.
  await expect(palette(page).locator('kbd').nth(3)).toBeVisible();
  const rights = await palette(page)
    .locator('kbd')
    .evaluateAll((keys) => keys.map((key) => Math.round(key.getBoundingClientRect().right)));
  expect(rights.length).toBeGreaterThan(3);
  expect(new Set(rights).size).toBe(1);
});
