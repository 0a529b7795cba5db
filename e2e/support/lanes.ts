import { expect, type Locator, type Page } from '@playwright/test';

// The sizes with which the lanes are drawn: width of the row names, height of the axis and of a row.
const gutter = 132;
const axis = 24;
const row = 18;

/** The chart of the lanes, once it shows what its address requests. */
export async function lanes(page: Page): Promise<Locator> {
  const chart = page.locator('[data-rendered]').first();
  await expect(chart).toBeVisible();
  return chart;
}

/** The point at a fraction of the window's width, in the middle of a row of the first CPU. */
export async function pointIn(page: Page, share: number, index: number): Promise<{ x: number; y: number }> {
  const box = await (await lanes(page)).boundingBox();
  if (!box) throw new Error('the lanes have no size');
  return { x: box.x + gutter + (box.width - gutter) * share, y: box.y + axis + (index + 0.5) * row };
}
