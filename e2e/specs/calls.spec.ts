import { expect, test } from '@playwright/test';
import { readFile } from 'node:fs/promises';

import { lanes } from '../support/lanes.ts';
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
  await page.getByRole('button', { name: 'Show the whole trace' }).click();
  await expect(page).not.toHaveURL(/call=|window=/);
  await expect(page.getByRole('note')).toBeHidden();
  await expect(window).not.toHaveText(ofCall);
  await page.goBack();
  await expect(window).toHaveText(ofCall);
  await expect(panel).toBeVisible();
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
