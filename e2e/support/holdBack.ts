import type { Page } from '@playwright/test';

/** Lets no answer at `url` through until the function that comes back is called; of one method only, if it is named. */
export async function holdBack(page: Page, url: string | RegExp, method?: string): Promise<() => void> {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    if (method === undefined || route.request().method() === method) await held;
    await route.continue();
  });
  return release;
}
