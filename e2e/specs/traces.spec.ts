import { expect, test, type Locator, type Page } from '@playwright/test';

import { traceLinks } from '../support/catalog.ts';
import { recordingOf, textFile } from '../support/recording.ts';

async function upload(page: Page, ...files: ReturnType<typeof textFile>[]): Promise<void> {
  await page.getByLabel('Traces to upload').setInputFiles(files);
}

const uploads = (page: Page) => page.getByRole('region', { name: 'Uploads' }).getByRole('listitem');

test('bare numbers are asked for their unit, and loaded with it', async ({ page }) => {
  await page.goto('/');
  await upload(page, textFile('bare-late.txt', '10.5\n11.25\n12\n'));
  const bare = uploads(page).filter({ hasText: 'bare-late.txt' });
  await expect(bare).toContainText('does not say in what unit they are');
  await bare.getByRole('button', { name: 'The numbers are µs' }).click();
  await expect(bare).toHaveAttribute('data-phase', 'ready');
  await bare.getByRole('link', { name: 'bare-late.txt' }).click();
  await expect(page.getByRole('table', { name: 'Worst cases' })).toContainText('12.00');
});

test('a recording with a broken stamp leaves the list of traces whole', async ({ page }) => {
  await page.goto('/');
  const late = recordingOf('broken-stamp').replace('100.000050', '9223372036.854775807');
  await upload(page, textFile('broken-stamp.txt', late));
  const broken = uploads(page).filter({ hasText: 'broken-stamp.txt' });
  await expect(broken).toHaveAttribute('data-phase', 'ready');
  await page.goto('/?q=broken-stamp');
  await traceLinks(page).filter({ hasText: 'broken-stamp' }).click();
  await expect(page.getByRole('heading', { name: /^broken-stamp/, level: 1 })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Facts' })).toContainText('9,223,371,936.85');
});

test('several files are read at once, and each says what became of it', async ({ page }) => {
  await page.goto('/');
  await upload(
    page,
    textFile('several-a.txt', recordingOf('several-a')),
    textFile('several-b.txt', recordingOf('several-b')),
    textFile('shopping.txt', 'milk\neggs\n'),
    textFile('nothing.txt', ''),
  );
  await expect(uploads(page).filter({ hasText: 'several-a.txt' })).toHaveAttribute('data-phase', 'ready');
  await expect(uploads(page).filter({ hasText: 'several-b.txt' })).toHaveAttribute('data-phase', 'ready');
  await expect(uploads(page).filter({ hasText: 'shopping.txt' })).toContainText('unknown_format');
  await expect(uploads(page).filter({ hasText: 'nothing.txt' })).toContainText('empty_file');
  await expect(traceLinks(page).filter({ hasText: 'several-a' })).toBeVisible();

  await page.getByRole('button', { name: 'Remove shopping.txt from this list' }).click();
  await expect(uploads(page).filter({ hasText: 'shopping.txt' })).toHaveCount(0);
  await uploads(page).getByRole('link', { name: 'several-b.txt' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/several-b/);
});

test('the same bytes are the same trace', async ({ page }) => {
  const file = textFile('twice.txt', recordingOf('twice'));
  await page.goto('/');
  await upload(page, file);
  await expect(uploads(page).first()).toHaveAttribute('data-phase', 'ready');
  const first = await uploads(page).first().getByRole('link').getAttribute('href');
  await upload(page, file);
  await expect(uploads(page).nth(1)).toContainText('already here');
  expect(await uploads(page).nth(1).getByRole('link').getAttribute('href')).toBe(first);
  // Under another name, it is found in the catalog by the first one.
  await upload(page, { ...file, name: 'again.txt' });
  await expect(uploads(page).nth(2)).toContainText('already here as twice');
});

test('the address holds what is searched for, how it is sorted, and the labels', async ({ page }) => {
  await page.goto('/');
  await expect(traceLinks(page).first()).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('trace-cmd report');
  await expect(page).toHaveURL(/q=trace-cmd\+report/);
  await expect(traceLinks(page)).toHaveText(['cyclictest, trace-cmd report']);

  await page.goto('/?v=1&q=cyclictest%2C&sort=name');
  await expect(traceLinks(page).first()).toBeVisible();
  const upwards = await traceLinks(page).allTextContents();
  await page.getByRole('button', { name: 'Name' }).click();
  await expect(page).toHaveURL(/sort=-name/);
  await expect(traceLinks(page)).toHaveText(upwards.toReversed());
  await page.goBack();
  await expect(traceLinks(page)).toHaveText(upwards);

  await page.goto('/?v=1&q=there-is-no-such-trace');
  await page.getByRole('button', { name: 'Show all traces' }).click();
  await expect(traceLinks(page).first()).toBeVisible();
});

test('the worst case of a trace is one click away', async ({ page }) => {
  await page.goto('/?v=1&q=trace-cmd+report');
  await expect(traceLinks(page)).toHaveCount(1);
  const worst = page
    .getByRole('table', { name: 'Traces' })
    .getByRole('link', { name: /^\d[\d.]*\s(µs|ms)$/ });
  const length = (await worst.textContent()) ?? '';
  await worst.click();
  await expect(page).toHaveURL(/\/cases\/cyclic-/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/ woke .* late/);
  await expect(page.getByRole('main')).toContainText(length);
});

/** Where the late part of a ruler begins and ends, in shares of its stages. */
async function latePart(ruler: Locator): Promise<readonly number[]> {
  return ruler.evaluate((track) => {
    const ends = (pieces: string) => {
      const boxes = [...track.querySelectorAll(pieces)].map((piece) => piece.getBoundingClientRect());
      return [Math.min(...boxes.map(({ left }) => left)), Math.max(...boxes.map(({ right }) => right))];
    };
    const [start = 0, end = 0] = ends('span:not([data-late])');
    return ends('[data-late]').map((x) => (x - start) / (end - start));
  });
}

test('the ruler of a trace is that of its worst case', async ({ page }) => {
  await page.goto('/?v=1&q=cyclictest+under+load');
  await expect(traceLinks(page)).toHaveCount(1);
  const row = page.getByRole('table', { name: 'Traces' });
  const thumbnail = row.getByTestId('ruler-thumbnail');
  await expect(thumbnail).toHaveAttribute('title', /^expected expiry → .* [\d.]+\s(ns|µs|ms)\n/);
  const [start = -1, end = -1] = await latePart(thumbnail);
  await row.getByRole('link', { name: /^\d[\d.]*\s(µs|ms)$/ }).click();
  await expect(page).toHaveURL(/\/cases\//);
  const ruler = page.getByTestId('ruler-case');
  await expect(ruler.locator('[data-late]').first()).toBeVisible();
  const onPage = await latePart(ruler);
  expect(onPage[0]).toBeCloseTo(start, 1);
  expect(onPage[1]).toBeCloseTo(end, 1);
});

test('a link that says nonsense opens all the same, and tells', async ({ page }) => {
  await page.goto('/?v=1&sort=beauty&colour=red');
  await expect(page.getByText('The link has sort=beauty')).toBeVisible();
  await expect(traceLinks(page).first()).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByText('The link has')).toHaveCount(0);
});

test('a trace is deleted only after a second thought', async ({ page }) => {
  await page.goto('/');
  await upload(page, textFile('doomed.txt', recordingOf('doomed')));
  await expect(uploads(page).first()).toHaveAttribute('data-phase', 'ready');
  const remove = page.getByRole('button', { name: 'Delete doomed' });
  await remove.click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(remove).toBeFocused();
  await remove.click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Deleted doomed.')).toBeVisible();
  await expect(traceLinks(page).filter({ hasText: 'doomed' })).toHaveCount(0);
});

test('the keyboard leads everywhere', async ({ page }) => {
  await page.goto('/?v=1&sort=name');
  await expect(traceLinks(page).first()).toBeVisible();
  await page.keyboard.press('j');
  await expect(traceLinks(page).first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(traceLinks(page).nth(1)).toBeFocused();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('Upload traces');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/t\//);
  await page.keyboard.press('0');
  await expect(page).toHaveURL(/\/$/);
});

test('the list holds still under a pressed pointer, whatever the search answers meanwhile', async ({
  page,
}) => {
  const name = 'Interrupts switched off and on';
  const search = page.getByRole('searchbox', { name: 'Search traces' });
  const aimed = traceLinks(page).filter({ hasText: name });
  await page.goto('/');
  // Other tests add traces and delete them: one that stays, at the top.
  await search.fill(name);
  await expect(traceLinks(page)).toHaveText([name]);
  let press = (): void => undefined;
  const pressed = new Promise<void>((resolve) => {
    press = resolve;
  });
  await page.route(/\/api\/v1\/traces\?.*\bq=no-such-trace/, async (route) => {
    await pressed;
    await route.continue();
  });
  const found = page.waitForResponse(/\/api\/v1\/traces\?.*\bq=no-such-trace/);
  await search.fill('no-such-trace');
  await expect(page).toHaveURL(/[?&]q=no-such-trace/);
  await aimed.hover();
  await page.mouse.down();
  press();
  await (await found).finished();
  // What is shown of an answer is shown two frames later.
  await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
  await expect(aimed).toBeVisible();
  await page.mouse.up();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
});
