import type { Locator, Page } from "@playwright/test";

/** The catalog's links to traces, in row order. */
export const traceLinks = (page: Page): Locator =>
  page
    .getByRole("table", { name: "Traces" })
    .locator('td[data-column="name"]')
    .getByRole("link");

/** Opens the page of a trace from the catalog: by search, because other tests fill its first page. */
export async function openTrace(page: Page, name: string): Promise<void> {
  await page.goto("/");
  await page.getByRole("searchbox", { name: "Search traces" }).fill(name);
  await page.getByRole("link", { name, exact: true }).click();
}
