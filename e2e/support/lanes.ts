import { expect, type Locator, type Page } from '@playwright/test';

/** The chart of the lanes, once it shows what its address requests. */
export async function lanes(page: Page): Promise<Locator> {
  const chart = page.locator('[data-rendered]').first();
  await expect(chart).toBeVisible();
  return chart;
}

/** The point at a fraction of the window's width, in the middle of a row, wherever the room has put it. */
export async function pointIn(page: Page, share: number, index: number): Promise<{ x: number; y: number }> {
  const box = await (await lanes(page)).boundingBox();
  const row = await page.locator(`[data-row="${index}"]`).first().boundingBox();
  if (!box || !row) throw new Error('the lanes have no size');
  const left = row.x + row.width;
  return { x: left + (box.x + box.width - left) * share, y: row.y + row.height / 2 };
}

/** Presses keys that move the window, each once the address has followed the one before. */
export async function move(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const before = page.url();
    await page.keyboard.press(key);
    await expect(page).not.toHaveURL(before);
  }
}
