import type { Locator, Page } from '@playwright/test';

/** The links of the catalog that open traces, in the order of its rows. */
export const traceLinks = (page: Page): Locator =>
  page.getByRole('table', { name: 'Traces' }).locator('td:first-child').getByRole('link');
