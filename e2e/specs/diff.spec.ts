import { expect, test } from '@playwright/test';
import { readFile } from 'node:fs/promises';

import { expectNoViolations } from '../support/accessibility.ts';
import { numbersOf, openWorkedPair, root, slowestCall, summary, tree } from '../support/diff.ts';
import { lanes } from '../support/lanes.ts';

test('the timer interrupt that started a timer says so, to the nanosecond', async ({ page, baseURL }) => {
  await openWorkedPair(page, baseURL);
  await lanes(page);
  const rows = tree(page).getByRole('row');
  expect(await numbersOf(rows.filter({ hasText: root }))).toEqual(
    expect.arrayContaining(['63.996', '53.940', '+10.056']),
  );
  expect(await numbersOf(rows.filter({ hasText: 'enqueue_task_rt' }).first())).toEqual(
    expect.arrayContaining(['18.024', '8.032', '+9.992']),
  );
  for (const [name, delta] of [
    ['ktime_get', '0.470'],
    ['hrtimer_forward', '0.394'],
    ['hrtimer_start_range_ns', '7.505'],
  ] as const) {
    const numbers = await numbersOf(rows.filter({ hasText: name }).first());
    expect(numbers.slice(0, 3)).toEqual([delta, '–', `+${delta}`]);
  }
});

test('what is chosen is chosen everywhere, stands in the address, and is walked on from by keys', async ({
  page,
  baseURL,
}) => {
  await openWorkedPair(page, baseURL);
  await page
    .getByRole('button', {
      name: /^ktime_get, hrtimer_forward, hrtimer_start_range_ns/,
    })
    .click();
  const selected = tree(page).getByRole('row', { selected: true });
  await expect(selected).toContainText('hrtimer_start_range_ns');
  await expect(page).toHaveURL(/row=\d+/);
  await page.reload();
  await expect(selected).toContainText('hrtimer_start_range_ns');
  await selected.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(selected).toContainText('enqueue_task_rt');
  await page.keyboard.press('ArrowLeft');
  await expect(selected).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByTestId('diff-hover')).toContainText('18,024');
});

test('on a tablet the shapes of the others are beside each other', async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  const call = await slowestCall(page, baseURL, 'timer-interrupt-6.12.txt.zst', 'hrtimer_interrupt');
  await page.goto(`/diff?abnormal=${call.ref}`);
  const shapes = page.getByRole('group', { name: 'shape' }).getByRole('button');
  await expect(shapes.nth(2)).toBeVisible();
  const tops = await shapes.evaluateAll((chips) => chips.map((chip) => chip.getBoundingClientRect().top));
  expect(tops.slice(0, 3)).toEqual([tops[0], tops[0], tops[0]]);
});

test('swapped, the sides are the mirror of each other', async ({ page, baseURL }) => {
  await openWorkedPair(page, baseURL);
  await page.keyboard.press('x');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('−10.06 µs');
  await expect(tree(page).getByRole('row').nth(1)).toContainText('53.940');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(summary);
});

test('the comparison leaves as text and as a page that stands alone', async ({ page, baseURL, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openWorkedPair(page, baseURL);
  await page.keyboard.press('c');
  await expect(page.getByText('Copied as text.')).toBeVisible();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  // Lines must be short enough for an e-mail.
  expect(text.replace(/\s+/g, ' ')).toContain(summary);
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: 'HTML' }).click();
  const html = await readFile(await (await waiting).path(), 'utf8');
  expect(html).toContain('hrtimer_start_range_ns');
});

test('the charts leave as pictures and as a table, and the page as a link', async ({
  page,
  baseURL,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openWorkedPair(page, baseURL);
  await lanes(page);
  for (const [format, starts] of [
    ['PNG', '\u{fffd}PNG'],
    ['SVG', '<svg'],
  ] as const) {
    const waiting = page.waitForEvent('download');
    await page
      .getByRole('button', { name: `Save the two sides as a${format === 'SVG' ? 'n' : ''} ${format}` })
      .click();
    const picture = await readFile(await (await waiting).path(), 'utf8');
    expect(picture.slice(0, starts.length)).toBe(starts);
    if (format === 'SVG') expect(picture).toContain('+10.06\u202fµs');
  }
  await page.getByRole('button', { name: 'as a table' }).click();
  await expect(
    page.getByRole('dialog').getByRole('row', { name: 'hrtimer_start_range_ns abnormal only' }),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Copy link' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
});

test('from a call, one key leads to its comparison with the median, and on to all others', async ({
  page,
  baseURL,
}) => {
  const { trace, id } = await slowestCall(
    page,
    baseURL,
    'timer-interrupt-6.12.txt.zst',
    '__sysvec_apic_timer_interrupt',
  );
  await page.goto(`/t/${trace}/calls?call=${id}`);
  await expect(page.getByRole('link', { name: /Compare with normal/ })).toBeVisible();
  await page.keyboard.press('n');
  await expect(page).toHaveURL(new RegExp(`/diff\\?.*abnormal=${trace}/`));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('µs');
  await page.getByRole('button', { name: 'all others' }).click();
  await expect(page).toHaveURL(/normal=all/);
  await expect(tree(page).getByRole('columnheader', { name: 'in normal' })).toBeVisible();
});

test('two calls of a function that were picked from its plot are compared', async ({ page, baseURL }) => {
  const name = '__sysvec_apic_timer_interrupt';
  const { trace, id } = await slowestCall(page, baseURL, 'timer-interrupt-6.12.txt.zst', name);
  await page.goto(`/t/${trace}/calls?show=functions&of=${name}&abnormal=${id}`);
  await lanes(page);
  await expect(page.getByText('the median call')).toBeVisible();
  await page.getByRole('link', { name: /Compare with normal/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('µs');
  await page.keyboard.press('p');
  await expect(
    page.getByRole('dialog').getByRole('img', { name: `Calls of ${name} over time` }),
  ).toBeVisible();
});

test('a comparison can be used by everybody', async ({ page, baseURL }) => {
  await openWorkedPair(page, baseURL);
  await lanes(page);
  await expectNoViolations(page);
});
