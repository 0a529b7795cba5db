import type { Locator, Page } from "@playwright/test";

/** The catalog's links to traces, in row order. */
export const traceLinks = (page: Page): Locator =>
  page
    .getByRole("table", { name: "Traces" })
    .locator('td[data-column="name"]')
    .getByRole("link");
