import { expect, test, type Page } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { lanes } from '../support/lanes.ts';
import { uploadSample } from '../support/trace.ts';

const sample = 'cyclictest-load-6.12-rt.txt.zst';

const row = (page: Page) => page.getByRole('group', { name: 'Worst cases' });
const dots = (page: Page) => row(page).getByRole('button');
const opened = (page: Page) => page.getByRole('region', { name: 'Opened case' });

async function openTimeline(page: Page, baseURL: string | undefined): Promise<string> {
  const id = await uploadSample(baseURL ?? '', sample);
  await page.goto(`/t/${id}`);
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await lanes(page);
  await expect(dots(page).first()).toBeVisible();
  return id;
}

/** The dot that the case of this length has. */
const dotOf = (page: Page, length: string) =>
  row(page).getByRole('button', { name: new RegExp(`, ${length},`) });

test('a dot opens its case, Back leads to what was in sight, and the sentence to its page', async ({
  page,
  baseURL,
}) => {
  const id = await openTimeline(page, baseURL);
  const window = page.getByTestId('window');
  const whole = await window.innerText();
  const dot = dotOf(page, '5\\.716\\sms');
  await dot.click();
  await expect(opened(page)).toContainText('woke 5.716\u202fms late');
  // The answer is what is read first.
  await expect(opened(page).getByRole('link')).toHaveCSS('font-size', '16px');
  await expect(page.getByTestId('ruler-case')).toContainText('ktimers/1-34');
  await expect(dot).toHaveAttribute('aria-pressed', 'true');
  await expect(window).not.toHaveText(whole);
  await page.goBack();
  await expect(opened(page)).toBeHidden();
  await expect(window).toHaveText(whole);
  await page.goForward();
  await opened(page).getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`/t/${id}/cases/cyclic-471@`));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('woke 5.716');
  await page.keyboard.press('t');
  await expect(page).toHaveURL(/case=cyclic-471@/);
  await expect(opened(page)).toContainText('woke 5.716');
});

test('from a case of another kind the dots are of that kind', async ({ page, baseURL }) => {
  const id = await openTimeline(page, baseURL);
  await page.goto(`/t/${id}`);
  const worst = page.getByRole('table', { name: 'Worst cases' });
  await worst.getByRole('link', { name: 'wakeup', exact: true }).click();
  await page.getByRole('link', { name: 'Open in timeline' }).click();
  const kind = page.getByRole('combobox', { name: 'Kind of the cases above the lanes' });
  await expect(kind).toHaveValue('wakeup');
  await expect(dots(page).first()).toHaveAccessibleName(/^wakeup, /);
});

test('the dots follow the kind that is chosen, and can be walked through by keys', async ({
  page,
  baseURL,
}) => {
  await openTimeline(page, baseURL);
  const kind = page.getByRole('combobox', { name: 'Kind of the cases above the lanes' });
  await kind.selectOption('irq');
  await expect(page).toHaveURL(/cases=irq/);
  await expect(row(page)).toHaveAttribute('aria-busy', 'false');
  await expect(dots(page).first()).toHaveAccessibleName(/^irq, /);
  await kind.selectOption('none');
  await expect(dots(page)).toHaveCount(0);
  await kind.selectOption('all');
  await expect(dots(page).first()).toBeVisible();
  await expect(row(page)).toHaveAttribute('aria-busy', 'false');
  expect(await dots(page).count()).toBeGreaterThan(1);

  await dots(page).first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(dots(page).nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/case=/);
  await expect(opened(page).getByRole('link')).toBeVisible();
  // From a dot Escape clears what is open, too.
  await page.keyboard.press('Escape');
  await expect(opened(page)).toBeHidden();
});

test('on a screen of ordinary width the choices of a case are in one row', async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await openTimeline(page, baseURL);
  await dots(page).first().click();
  const first = await page.getByRole('button', { name: 'Wakeups' }).boundingBox();
  const path = await page.getByRole('button', { name: 'Critical path' }).boundingBox();
  const last = await page.getByRole('combobox', { name: 'Add the lane of a task' }).boundingBox();
  expect(path?.y).toBe(first?.y);
  expect(last?.y).toBeLessThan((first?.y ?? 0) + (first?.height ?? 0));
});

test('between a tablet and an ordinary screen the choices of a case and of tasks scroll in one row', async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 920, height: 800 });
  await openTimeline(page, baseURL);
  await dots(page).first().click();
  const path = page.getByRole('button', { name: 'Critical path' });
  await expect(path).toBeVisible();
  const task = page.getByRole('combobox', { name: 'Add the lane of a task' });
  for (const index of [1, 2]) await task.selectOption({ index });
  const row = (await page.getByRole('button', { name: 'Wakeups' }).boundingBox())?.y ?? 0;
  expect((await path.boundingBox())?.y).toBe(row);
  // The keyboard scrolls to what is out of sight.
  await task.focus();
  await expect(task).toBeInViewport();
  expect(Math.abs(((await task.boundingBox())?.y ?? 0) - row)).toBeLessThan(4);
});

test('a timeline with an opened case can be used by everybody', async ({ page, baseURL }) => {
  await openTimeline(page, baseURL);
  await dots(page).first().click();
  await expect(opened(page).getByRole('link')).toBeVisible();
  await expectNoViolations(page);
});

for (const [late, isIt] of [
  ['the case', (url: string) => /\/latencies\/cyclic-/.test(url)],
  ['the whole trace', (url: string) => /\/timeline\?.*\bstart=0&/.test(url)],
] as const) {
  test(`the lanes of a shared case stay where they are when ${late} comes late`, async ({
    page,
    baseURL,
  }) => {
    await openTimeline(page, baseURL);
    await dotOf(page, '5\\.716\\sms').click();
    await expect(opened(page)).toContainText('woke');
    let arrives = () => {};
    const arrived = new Promise<void>((resolve) => (arrives = resolve));
    await page.route('**/api/v1/traces/**', async (route) => {
      const mustWait = isIt(route.request().url());
      if (mustWait) await page.waitForTimeout(1000);
      await route.continue();
      if (mustWait) arrives();
    });
    await page.reload();
    await lanes(page);
    const before = await rowsOf(page);
    await arrived;
    await expect(opened(page)).toContainText('woke');
    await page.waitForTimeout(500);
    expect(await rowsOf(page)).toEqual(before);
  });
}

/** What every row of the lanes is and where. */
const rowsOf = (page: Page) =>
  page.locator('[data-row]').evaluateAll((rows) =>
    rows.map((one) => {
      const { y, height } = one.getBoundingClientRect();
      return { name: one.textContent, y, height };
    }),
  );
