import { expect, test } from '@playwright/test';

test('the server says how full and how busy it is', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Keys (?)' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'this server' }).click();
  await expect(page).toHaveURL('/server');
  await expect(page.getByRole('dialog')).toBeHidden();
  const facts = page.locator('[data-rendered=service]');
  const fact = (name: string) => facts.locator('dl > div').filter({ hasText: name }).locator('dd');
  await expect(fact('Recordings')).toContainText(/\d+.[KMG]iB/);
  await expect(fact('Workers')).toHaveText('1');
  await expect(fact('Reader confined by')).toContainText('seccomp');
  await facts.getByRole('link', { name: 'Settings' }).click();
  await expect(page).toHaveURL('/help/settings');
});
