import { expect, test } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { traceLinks } from '../support/catalog.ts';

for (const colorScheme of ['dark', 'light'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });

    test('the catalog can be used by everybody', async ({ page }) => {
      await page.goto('/');
      await expect(traceLinks(page).first()).toBeVisible();
      await expectNoViolations(page);
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectNoViolations(page);
    });

    test('the page of a trace can be used by everybody', async ({ page }) => {
      await page.goto('/');
      await page.getByRole('link', { name: 'Timer interrupt, function_graph', exact: true }).click();
      await expect(page.getByRole('table', { name: 'Functions' }).getByRole('link').first()).toBeVisible();
      await expectNoViolations(page);
    });

    test('a page that is not there can be used by everybody', async ({ page }) => {
      await page.goto('/no/such/page');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectNoViolations(page);
    });
  });
}
