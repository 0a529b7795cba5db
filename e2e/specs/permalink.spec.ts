import { expect, test, type Browser, type Page } from '@playwright/test';

import { move } from '../support/lanes.ts';
import { ports } from '../support/ports.ts';
import { Stack } from '../support/stack.ts';
import { deleteTrace, uploadSample } from '../support/trace.ts';

const sample = 'cyclictest-break-6.12-rt.txt';
const stack = new Stack(ports.restart);

// The whole product starts three times.
test.setTimeout(180_000);
test.beforeAll(() => stack.start({ samples: false }));
test.afterAll(() => stack.remove());

test('a permalink opens the same view anywhere, after restarts and after a second upload', async ({
  browser,
}) => {
  const id = await uploadSample(stack.url, sample);
  const sender = await openClean(browser, `${stack.url}/t/${id}/timeline`);
  await move(sender, 'w', 'w');
  const link = sender.url();
  const sent = await whatIsShown(sender);

  expect(await shownInCleanBrowser(browser, link)).toEqual(sent);

  expect(await stack.stop()).toBe(0);
  await stack.start({ samples: false });
  expect(await shownInCleanBrowser(browser, link)).toEqual(sent);

  await stack.kill();
  await stack.start({ samples: false });
  expect(await shownInCleanBrowser(browser, link)).toEqual(sent);

  await deleteTrace(stack.url, id);
  expect(await uploadSample(stack.url, sample)).toBe(id);
  expect(await shownInCleanBrowser(browser, link)).toEqual(sent);
});

async function openClean(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  await rendered(page);
  return page;
}

function chart(page: Page) {
  return page.locator('[data-rendered]').first();
}

async function rendered(page: Page): Promise<void> {
  await expect(chart(page)).toBeVisible();
}

/** The window as text, and an image of the chart. */
async function whatIsShown(page: Page): Promise<{ window: string; picture: string }> {
  await rendered(page);
  await expect(page.getByText('loading …')).toBeHidden();
  const picture = await chart(page).screenshot({ animations: 'disabled' });
  return { window: await page.getByTestId('window').innerText(), picture: picture.toString('base64') };
}

async function shownInCleanBrowser(browser: Browser, link: string): ReturnType<typeof whatIsShown> {
  const page = await openClean(browser, link);
  const shown = await whatIsShown(page);
  expect(page.url()).toBe(link);
  await page.context().close();
  return shown;
}
