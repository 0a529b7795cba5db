import { expect, type Locator, type Page } from '@playwright/test';

/** The catalog's links to traces, in row order. */
export const traceLinks = (page: Page): Locator =>
  page.getByRole('table', { name: 'Traces' }).locator('td[data-column="name"] > span > a');

/** Opens the page of a trace from the catalog: by search, because other tests fill its first page. */
export async function openTrace(page: Page, name: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('searchbox', { name: 'Search traces' }).fill(name);
  // The list moves up when it is searched: nobody aims before it stands still.
  await expect(page).toHaveURL(/[?&]q=/);
  await page.getByRole('link', { name, exact: true }).click();
}
