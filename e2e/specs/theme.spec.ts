import { expect, test, type Locator, type Page } from '@playwright/test';

import { uploadSample } from '../support/trace.ts';

const loaded = 'cyclictest-load-6.12-rt.txt.zst';

/** Every canvas of the page once nothing is drawn any more. */
async function pictures(page: Page): Promise<readonly string[]> {
  // Below the fold, charts come when their answers do.
  await page.waitForLoadState('networkidle');
  const read = () =>
    page.locator('canvas').evaluateAll((all) => all.map((one) => (one as HTMLCanvasElement).toDataURL())); // all are canvases
  let last: readonly string[] = [];
  await expect
    .poll(
      async () => {
        const before = last;
        last = await read();
        return last.length > 0 && last.join() === before.join();
      },
      { intervals: [500] },
    )
    .toBe(true);
  return last;
}

for (const place of ['', '/timeline']) {
  test(`switching the theme draws /t/…${place} as loading it anew does`, async ({ page, baseURL }) => {
    const id = await uploadSample(baseURL ?? '', loaded);
    await page.goto(`/t/${id}${place}`);
    const dark = await pictures(page);
    await page.getByRole('button', { name: 'Switch to' }).click();
    const light = await pictures(page);
    expect(light).not.toEqual(dark);
    await page.reload();
    expect(await pictures(page)).toEqual(light);
  });
}

test('the head of a table in a dialog has the ground of the dialog', async ({ page, baseURL }) => {
  await page.goto(`/t/${await uploadSample(baseURL ?? '', loaded)}`);
  await page.getByRole('button', { name: 'Compare with other traces…' }).click();
  const dialog = page.getByRole('dialog');
  const ground = await dialog.evaluate((element) => getComputedStyle(element).backgroundColor);
  await expect(dialog.getByRole('columnheader').first()).toHaveCSS('background-color', ground);
});

/** Pixels by which what scrolls around an element cuts off the ring around it, at the side that is cut most. */
const cutOfRing = (element: Element): number => {
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element);
  if (outlineStyle === 'none') throw new Error('nothing is around it');
  const reach = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
  const box = element.getBoundingClientRect();
  let frame = element.parentElement;
  while (frame && getComputedStyle(frame).overflow === 'visible') frame = frame.parentElement;
  const edge = (frame ?? document.documentElement).getBoundingClientRect();
  // What clips without scrolling may let a few pixels around it be seen.
  const margin = frame ? Number.parseFloat(getComputedStyle(frame).overflowClipMargin) || 0 : 0;
  return (
    Math.max(
      edge.left - box.left + reach,
      edge.top - box.top + reach,
      box.right + reach - edge.right,
      box.bottom + reach - edge.bottom,
    ) - margin
  );
};

test('the ring around a tab and around what folds is whole', async ({ page, baseURL }) => {
  await page.goto(`/t/${await uploadSample(baseURL ?? '', loaded)}`);
  const fold = page.locator('summary').filter({ hasText: 'About this trace' });
  // The facts have no place until the server has said what else is above them.
  await page.waitForLoadState('networkidle');
  await expect(fold).toBeVisible();
  for (const one of [page.getByRole('link', { name: 'Timeline', exact: true }), fold]) {
    await page.keyboard.press('Tab');
    await one.focus();
    await expect(one).toBeFocused();
    expect(await one.evaluate(cutOfRing)).toBeLessThanOrEqual(0);
  }
});

test('the ring around what is as wide as its column or its list is whole', async ({ page, baseURL }) => {
  const id = await uploadSample(baseURL ?? '', loaded);
  const whole = async (one: Locator) => {
    await page.keyboard.press('Tab');
    await one.focus();
    await expect(one).toBeFocused();
    expect(await one.evaluate(cutOfRing)).toBeLessThanOrEqual(0);
  };
  await page.setViewportSize({ width: 768, height: 900 });
  await page.goto('/help/why');
  await whole(page.getByRole('navigation', { name: 'Documentation' }).getByRole('link').first());
  await whole(page.getByRole('link', { name: 'jitterscope' }));
  await page.goto(`/compare?v=1&variants=${encodeURIComponent(`before=${id};after=${id}`)}`);
  await whole(page.getByRole('button', { name: /^Leave out the trace/ }).first());
});

test('the ring around a chart, a table that scrolls and what is in a table is whole', async ({
  page,
  baseURL,
}) => {
  const id = await uploadSample(baseURL ?? '', loaded);
  const whole = async (one: Locator) => {
    await expect(one).toBeVisible();
    await page.keyboard.press('Tab');
    await one.focus();
    await expect(one).toBeFocused();
    // What clips lets the ring be seen where it has a margin for it.
    expect(await one.evaluate(cutOfRing)).toBeLessThanOrEqual(0);
  };
  await page.goto(`/t/${id}/timeline`);
  await whole(page.getByRole('group', { name: /^Timeline of / }).first());
  await page.goto('/help/latencies');
  // It is higher than the page, so that only its sides can be whole.
  const table = page.getByRole('group', { name: 'Table' }).first();
  await table.focus();
  await expect(table).toHaveCSS('outline-offset', '-2px');
  await page.goto(`/t/${id}`);
  await whole(page.getByRole('table', { name: 'Worst cases' }).locator('td a[href*="tasks="]').first());
  const calls = await uploadSample(baseURL ?? '', 'timer-interrupt-6.12.txt.zst');
  await page.goto(`/t/${calls}/calls?v=1&show=functions`);
  await whole(page.getByRole('columnheader', { name: 'Function' }).getByRole('button'));
});

test('the ring of the event that has the focus is around its row', async ({ page, baseURL }) => {
  await page.goto(`/t/${await uploadSample(baseURL ?? '', loaded)}/timeline`);
  const time = page.getByRole('table', { name: 'Visible events' }).getByRole('button').first();
  await expect(time).toBeVisible();
  await page.keyboard.press('Tab');
  await time.focus();
  expect(await time.evaluate((button) => getComputedStyle(button, '::after').outlineStyle)).toBe('solid');
});
