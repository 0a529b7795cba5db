import { expect, test, type Page } from '@playwright/test';

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
