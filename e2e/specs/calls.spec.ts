import { expect, test, type Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';

import { holdBack } from '../support/holdBack.ts';
import { lanes, pointIn } from '../support/lanes.ts';
import { uploadSample } from '../support/trace.ts';

const sample = 'timer-interrupt-6.12.txt.zst';

test('the slowest call of a function opens in the flame chart, here and from a link', async ({
  page,
  baseURL,
}) => {
  const id = await uploadSample(baseURL ?? '', sample);
  await page.goto(`/t/${id}/calls?v=1&show=functions&sort=-max`);
  const table = page.getByRole('table', { name: 'Functions' });
  const first = table.getByRole('row').nth(1);
  const name = await first.locator('code').first().innerText();
  await first.getByTitle(/Open the slowest call/).click();
  await expect(page).toHaveURL(/call=call-/);
  const panel = page.getByRole('complementary', { name: 'Call' });
  await expect(panel).toContainText(name);
  // The call fills the screen, and the address holds the window.
  await expect(page).toHaveURL(/window=\d+-\d+/);
  // The picture glides to what the address says already.
  const [, there] = /window=(\d+-\d+)/.exec(page.url()) ?? [];
  await expect(page.locator(`[data-rendered="${there}"]`)).toBeVisible();
  const window = await page.getByTestId('window').innerText();
  await page.reload();
  await lanes(page);
  await expect(panel).toContainText(name);
  await expect(page.getByTestId('window')).toHaveText(window);
});

test('the calls open on the slowest one, and lead to the whole trace', async ({ page, baseURL }) => {
  const id = await uploadSample(baseURL ?? '', sample);
  await page.goto(`/t/${id}`);
  await page.getByRole('link', { name: 'Calls', exact: true }).click();
  await lanes(page);
  await expect(page).toHaveURL(/call=call-206@835159000\.0/);
  await expect(page.getByRole('note')).toContainText('slowest call of __sysvec_apic_timer_interrupt');
  const panel = page.getByRole('complementary', { name: 'Call' });
  await expect(panel).toContainText('271,718\u202fns');
  await expect(page).toHaveURL(/window=\d+-\d+/);
  const window = page.getByTestId('window');
  const ofCall = await window.innerText();

  // A click picks a call and zooms to it: one step of Back.
  const before = page.url();
  const { x, y } = await pointIn(page, 0.5, 3);
  await page.mouse.click(x, y);
  await expect(panel).not.toContainText('271,718');
  await expect(window).not.toHaveText(ofCall);
  await page.goBack();
  await expect(page).toHaveURL(before);
  await expect(panel).toContainText('271,718\u202fns');

  await page.getByRole('button', { name: 'Show the whole trace' }).click();
  await expect(page).not.toHaveURL(/call=|window=/);
  await expect(page.getByRole('note')).toBeHidden();
  await expect(window).not.toHaveText(ofCall);
  await page.goBack();
  await expect(window).toHaveText(ofCall);
  await expect(panel).toBeVisible();
});

test('on a tablet, the ways out of the calls are on one line', async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.goto(`/t/${await uploadSample(baseURL ?? '', sample)}/calls`);
  await lanes(page);
  const topOf = async (name: RegExp) => (await page.getByRole('button', { name }).boundingBox())?.y;
  expect(await topOf(/SVG picture/)).toBe(await topOf(/^Fit/));
});

test('a search in the merged calls says which share it found', async ({ page, baseURL }) => {
  const id = await uploadSample(baseURL ?? '', sample);
  await page.goto(`/t/${id}/calls?v=1&show=graph`);
  await lanes(page);
  await page.keyboard.press('/');
  await page.keyboard.type('hrtimer');
  await expect(page.getByTestId('matched')).toContainText(/\d+ matching functions?: \d+\.\d\u202f% of/);
  await expect(page).toHaveURL(/q=hrtimer/);
  await page.getByRole('button', { name: 'callees first' }).click();
  await expect(page).toHaveURL(/order=bottom-up/);
  await lanes(page);
});

test('n and N lead through the matches of a search, in the merged calls and over time', async ({
  page,
  baseURL,
}) => {
  const id = await uploadSample(baseURL ?? '', sample);
  await openCalls(page, id);
  await page.getByRole('button', { name: 'Merged' }).click();
  await lanes(page);
  await page.keyboard.press('/');
  await page.keyboard.type('ktime');
  const matches = page.getByTestId('matches');
  await expect(matches).toHaveText(/^\d+ matches$/);
  const count = Number.parseInt(await matches.innerText(), 10);
  await page.getByRole('searchbox').press('Tab');
  await page.keyboard.press('n');
  await expect(matches).toHaveText(`1 of ${count}`);
  await expect(page).toHaveURL(/focus=.*ktime/);
  await page.keyboard.press('N');
  await expect(matches).toHaveText(`${count} of ${count}`);
  await page.getByRole('button', { name: 'Over time' }).click();
  await lanes(page);
  await expect(matches).toHaveText(/visible$/);
  await page.getByRole('button', { name: 'Next match (n)' }).click();
  await expect(matches).toHaveText(/^1 of \d+$/);
  await expect(page.getByRole('complementary', { name: 'Call' })).toContainText('ktime');
});

test('a sandwich has the callers of a function above and its callees below, with their times', async ({
  page,
  baseURL,
}) => {
  const id = await uploadSample(baseURL ?? '', sample);
  await openCalls(page, id);
  await page.getByRole('button', { name: 'Merged' }).click();
  await lanes(page);
  await page.getByRole('button', { name: 'whole trace' }).click();
  await page.getByRole('button', { name: 'sandwich' }).click();
  const list = page.getByRole('region', { name: 'Functions to choose from' });
  await list.getByRole('link', { name: 'hrtimer_interrupt', exact: true }).click();
  await expect(page).toHaveURL(/order=sandwich.*of=hrtimer_interrupt/);
  await expect(page.locator('[data-rendered="sandwich hrtimer_interrupt "]')).toBeVisible();
  await page.getByRole('button', { name: 'Show callers and callees as a table' }).click();
  const rows = page.getByRole('dialog').locator('tbody tr');
  const own = await rows.first().locator('td').allInnerTexts();
  const answer = await page.request.get(`/api/v1/traces/${id}/calltree?root=hrtimer_interrupt`);
  const { total_ns } = (await answer.json()) as { total_ns: number };
  expect(own.slice(0, 2)).toEqual(['function', 'hrtimer_interrupt']);
  expect(Number(own[3]?.replace(/\D/g, ''))).toBe(total_ns);
  await expect(rows.filter({ hasText: /^caller/ }).first()).toContainText('__sysvec_apic_timer_interrupt');
  await page.keyboard.press('Escape');
  // The instances are listed beside it, and a reload shows the same.
  await expect(page.getByRole('region', { name: 'Calls of hrtimer_interrupt' })).toBeVisible();
  await page.reload();
  await expect(page.locator('[data-rendered="sandwich hrtimer_interrupt "]')).toBeVisible();
});

test('a sandwich before the calls are merged is of the function with the most time of its own', async ({
  page,
  baseURL,
}) => {
  const id = await uploadSample(baseURL ?? '', sample);
  await openCalls(page, id);
  const release = await holdBack(page, '**/calltree?*');
  await page.getByRole('button', { name: 'Merged' }).click();
  await page.getByRole('button', { name: 'sandwich' }).click();
  const list = page.getByRole('region', { name: 'Functions to choose from' });
  const first = await list.locator('tbody a').first().innerText();
  await expect(page).toHaveURL(new RegExp(`of=${first}(&|$)`));
  release();
  await expect(page.locator(`[data-rendered="sandwich ${first} "]`)).toBeVisible();
});

test('a function of the merged calls has details that say where it is called from', async ({
  page,
  baseURL,
}) => {
  const id = await uploadSample(baseURL ?? '', sample);
  await openCalls(page, id);
  await page.getByRole('button', { name: 'Merged' }).click();
  await lanes(page);
  await page.keyboard.press('/');
  await page.keyboard.type('hrtimer_interrupt');
  await page.getByRole('button', { name: 'Next match (n)' }).click();
  const panel = page.getByRole('complementary', { name: 'Function' });
  await expect(panel).toContainText('median');
  await expect(panel.getByRole('link', { name: '__sysvec_apic_timer_interrupt' })).toBeVisible();
  await panel.getByRole('link', { name: 'Callers and callees' }).click();
  await expect(page).toHaveURL(/order=sandwich/);
  await expect(page.getByRole('region', { name: 'Calls of hrtimer_interrupt' })).toBeVisible();
});

test('own CPU time leaves interrupts out, and the address keeps the choice', async ({ page, baseURL }) => {
  const id = await uploadSample(baseURL ?? '', sample);
  await openCalls(page, id);
  await page.getByRole('button', { name: 'Merged' }).click();
  await lanes(page);
  await page.getByRole('button', { name: 'own CPU' }).click();
  await expect(page).toHaveURL(/time=net/);
  await expect(page.getByText(/^without \d/)).toBeVisible();
  const [gross, net] = await Promise.all(
    ['gross', 'net'].map(async (time) => {
      const answer = await page.request.get(`/api/v1/traces/${id}/calltree?time=${time}`);
      return (await answer.json()) as { total_ns: number };
    }),
  );
  expect(net?.total_ns).toBeLessThanOrEqual(gross?.total_ns ?? 0);
  await page.reload();
  await expect(page.getByRole('button', { name: 'own CPU' })).toHaveAttribute('aria-pressed', 'true');
});

/** The calls of a trace, by the tab on its page. */
async function openCalls(page: Page, id: string): Promise<void> {
  await page.goto(`/t/${id}`);
  await page.getByRole('link', { name: 'Calls', exact: true }).click();
  await lanes(page);
}

test('the merged calls are saved as folded stacks that add up to their total', async ({ page, baseURL }) => {
  const id = await uploadSample(baseURL ?? '', sample);
  await page.goto(`/t/${id}/calls?v=1&show=graph`);
  await lanes(page);
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as folded stacks' }).click();
  const stacks = (await readFile(await (await waiting).path(), 'utf8')).trim().split('\n');
  const sum = stacks.reduce((all, line) => all + Number(line.split(' ')[1]), 0);
  const tree = await page.request.get(`/api/v1/traces/${id}/calltree`);
  expect(sum).toBe(((await tree.json()) as { total_ns: number }).total_ns);
});

test('a trace without calls says how to record them', async ({ page, baseURL }) => {
  const id = await uploadSample(baseURL ?? '', 'cyclictest-break-6.12-rt.txt');
  await page.goto(`/t/${id}/calls`);
  await expect(page.getByText('No function calls in this trace')).toBeVisible();
  await expect(page.getByText('trace-cmd record -p function_graph')).toBeVisible();
});
