import { expect, test, type Page } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { lanes, pointIn } from '../support/lanes.ts';
import { uploadSample } from '../support/trace.ts';

const sample = 'cyclictest-load-6.12-rt.txt.zst';

const details = (page: Page) => page.getByRole('complementary', { name: 'Details' });
const drawn = (page: Page, kind: string) => page.getByTestId('arrows').locator(`g[data-kind="${kind}"]`);

/** From the first page to the worst case of the sample, and from there to the timeline. */
async function openWorstCase(page: Page, baseURL: string | undefined): Promise<void> {
  const id = await uploadSample(baseURL ?? '', sample);
  await page.goto('/');
  await page.getByRole('searchbox', { name: 'Search traces' }).fill('cyclictest under load');
  await page.locator(`a[href^="/t/${id}/cases/"]`).first().click();
  await page.getByRole('link', { name: 'Open in timeline' }).click();
  await lanes(page);
}

test('an opened case has its arrows and its critical path, each with a switch in the address', async ({
  page,
  baseURL,
}) => {
  await openWorstCase(page, baseURL);
  await expect(drawn(page, 'wakeup').first()).toBeVisible();
  const path = page.getByTestId('critical-path');
  await expect(path).not.toHaveAttribute('data-pieces', '0');
  await page.getByRole('button', { name: 'Critical path' }).click();
  await expect(path).toBeHidden();
  await expect(page).toHaveURL(/path=hidden/);
  const wakeups = page.getByRole('group', { name: 'Arrows' }).getByRole('button', { name: 'Wakeups' });
  await wakeups.click();
  await expect(drawn(page, 'wakeup')).toHaveCount(0);
  await expect(page).toHaveURL(/arrowsOff=wakeup/);
  await page.reload();
  await lanes(page);
  await expect(wakeups).toHaveAttribute('aria-pressed', 'false');
  await wakeups.click();
  await expect(drawn(page, 'wakeup').first()).toBeVisible();
});

test('from an opened case a key leads to what caused it, with nothing selected', async ({
  page,
  baseURL,
}) => {
  await openWorstCase(page, baseURL);
  await expect(drawn(page, 'wakeup').first()).toBeVisible();
  await page.keyboard.press('[');
  await expect(page).toHaveURL(/event=cpu\d+@\d+/);
  await expect(page).toHaveURL(/case=/);
  await expect(details(page)).toContainText(/sched_waking|hrtimer_start/);
  await page.goBack();
  await expect(page).not.toHaveURL(/event=/);
});

test('keys and links follow arrows from a selected wait to its waker and on, and Back returns', async ({
  page,
  baseURL,
}) => {
  await openWorstCase(page, baseURL);
  const { x, y } = await pointIn(page, 0.5, 0);
  await page.mouse.click(x, y);
  await expect(page).toHaveURL(/slice=task372@/);
  const selected = page.url();
  const wakers = details(page).getByRole('listitem').filter({ hasText: 'woken by' });
  await expect(wakers.first()).toBeVisible();

  await page.keyboard.press('[');
  await expect(page).toHaveURL(/event=cpu\d+@\d+/);
  await expect(details(page)).toContainText('sched_waking');
  const waking = page.url();
  await page.keyboard.press('[');
  await expect(page).not.toHaveURL(waking);
  const earlier = page.url();
  await page.goBack();
  await expect(page).toHaveURL(waking);
  await page.goBack();
  await expect(page).toHaveURL(selected);
  await page.goForward();
  await page.goForward();
  await expect(page).toHaveURL(earlier);
  await page.keyboard.press(']');
  await expect(page).not.toHaveURL(earlier);

  await page.goBack();
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(selected);
  await wakers.first().getByRole('button').click();
  await expect(details(page)).toContainText('sched_waking');
  await expectNoViolations(page);
});

test('all arrows in view are a choice, with the number of those that are hidden', async ({
  page,
  baseURL,
}) => {
  const id = await uploadSample(baseURL ?? '', sample);
  await page.goto(`/t/${id}`);
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await lanes(page);
  await expect(page.getByTestId('arrows').locator('g')).toHaveCount(0);
  await page.getByRole('button', { name: 'all in view' }).click();
  await expect(page).toHaveURL(/arrows=all/);
  await expect(page.getByText(/\d shorter ones hidden/)).toBeVisible();
  await expect(drawn(page, 'timer').first()).toBeVisible();
  const path = drawn(page, 'wakeup').locator('path').last();
  const { x, y } = await path.evaluate((curve: SVGPathElement) => {
    const { left, top } = curve.ownerSVGElement!.getBoundingClientRect();
    const middle = curve.getPointAtLength(curve.getTotalLength() / 2);
    return { x: left + middle.x, y: top + middle.y };
  });
  await page.mouse.move(x, y);
  await expect(page.getByText(/ on CPU \d+, .+ on CPU \d+, .+ before$/)).toBeVisible();
  await page.goBack();
  await expect(page.getByTestId('arrows').locator('g')).toHaveCount(0);
});

test('keys say what they need where nothing is selected', async ({ page, baseURL }) => {
  const id = await uploadSample(baseURL ?? '', sample);
  await page.goto(`/t/${id}`);
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await lanes(page);
  await page.keyboard.press(']');
  await expect(page.getByText('Select a slice or an event first')).toBeVisible();
});
