import { expect, test, type Page } from '@playwright/test';

async function openWorst(page: Page, trace: string, kind: string) {
  await page.goto('/');
  await page.getByRole('link', { name: trace, exact: true }).click();
  const worst = page.getByRole('table', { name: 'Worst cases' });
  await worst.getByRole('link', { name: kind, exact: true }).click();
  await expect(page.getByRole('list', { name: 'Chain' })).toBeVisible();
}

test('a stall of a guest has its advice folded under the chain', async ({ page }) => {
  await openWorst(page, 'cyclictest under load, PREEMPT_RT', 'irq');
  const advice = page.getByRole('list', { name: 'Advice' });
  await expect(advice).toBeHidden();
  await page.getByRole('heading', { name: 'What usually helps' }).click();
  await expect(advice.getByRole('listitem').first()).toBeVisible();
  await expect(advice.getByRole('link').first()).toHaveAttribute(
    'href',
    /^https:\/\/docs\.kernel\.org\/[\w./-]+\.html$/,
  );
});

test('where the chain leaves something open, the command that records it is copied', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openWorst(page, 'cyclictest under load, PREEMPT_RT', 'timer');
  await page.getByRole('heading', { name: 'Record next' }).click();
  const command = page.locator('pre', { hasText: 'trace-cmd record ' });
  await expect(command).toContainText('trace-cmd record ');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await command.innerText());
});
