import { expect, test, type Page } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { lanes, pointIn } from '../support/lanes.ts';
import { uploadSample, uploadText } from '../support/trace.ts';

const sample = 'cyclictest-load-6.12-rt.txt.zst';

/** From the first page to the lanes of the sample. */
async function openLanes(page: Page, baseURL: string | undefined): Promise<void> {
  const id = await uploadSample(baseURL ?? '', sample);
  await page.goto('/');
  // By search, because other tests fill the first page.
  await page.getByRole('searchbox', { name: 'Search traces' }).fill('cyclictest under load');
  await page.locator(`a[href="/t/${id}"]`).first().click();
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await lanes(page);
}

const handles = (page: Page) => page.locator('[data-lane]');
const handle = (page: Page, id: string) => page.locator(`[data-lane="${id}"]`);

const order = (page: Page) =>
  handles(page).evaluateAll((found) => found.map((one) => (one as HTMLElement).dataset['lane'])); // evaluated in the page, which knows no types

const NATURAL = [0, 1].flatMap((cpu) =>
  ['sched', 'irq', 'softirq', 'idle'].map((kind) => `cpu${cpu}.${kind}.0`),
);

test('a lane is pinned, hidden and shown again, and all go back', async ({ page, baseURL }) => {
  await openLanes(page, baseURL);
  expect(await order(page)).toEqual(NATURAL);
  await handle(page, 'cpu1.irq.0').click();
  await page.getByRole('menuitem', { name: 'Pin to the top' }).click();
  await expect(page).toHaveURL(/pin=cpu1\.irq\.0/);
  expect(await order(page)).toEqual(['cpu1.irq.0', ...NATURAL.filter((id) => id !== 'cpu1.irq.0')]);
  await handle(page, 'cpu0.idle.0').click();
  await expectNoViolations(page);
  await page.getByRole('menuitem', { name: 'Hide' }).click();
  await expect(handle(page, 'cpu0.idle.0')).toBeHidden();
  await page.reload();
  await lanes(page);
  await expect(handles(page)).toHaveCount(NATURAL.length - 1);
  await page.getByRole('combobox', { name: 'Show a hidden lane' }).selectOption({ label: 'CPU 0 idle' });
  await expect(handle(page, 'cpu0.idle.0')).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Reset the lanes' }).click();
  await expect(page).not.toHaveURL(/pin=|without=/);
  await expect.poll(() => order(page)).toEqual(NATURAL);
  await page.goBack();
  await expect.poll(() => order(page)).not.toEqual(NATURAL);
});

test('a lane is moved by a drag, and by keys, which say what is on it', async ({ page, baseURL }) => {
  await openLanes(page, baseURL);
  const from = await handle(page, 'cpu1.softirq.0').boundingBox();
  const to = await handle(page, 'cpu0.sched.0').boundingBox();
  if (!from || !to) throw new Error('the lanes have no size');
  await page.mouse.move(from.x + 40, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + 40, to.y + 40);
  await page.mouse.move(to.x + 40, to.y + 2);
  await page.mouse.up();
  await expect
    .poll(() => order(page))
    .toEqual(['cpu1.softirq.0', ...NATURAL.filter((id) => id !== 'cpu1.softirq.0')]);
  await expect(page.getByRole('menu')).toBeHidden();
  const first = handle(page, 'cpu1.softirq.0');
  await expect(first).toHaveAccessibleName(/^CPU 1 softirq: [\d,]+ slices, [\d.]+\s% of the time, longest /);
  await first.focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(async () => (await order(page)).slice(0, 2)).toEqual(['cpu0.sched.0', 'cpu1.softirq.0']);
  await expect(first).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(handle(page, 'cpu0.sched.0')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Move up' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await expect(handle(page, 'cpu0.sched.0')).toBeFocused();
});

test('the longest slice of a lane is found, and marks snap to its edges', async ({ page, baseURL }) => {
  await openLanes(page, baseURL);
  await handle(page, 'cpu0.irq.0').click();
  await page.getByRole('menuitem', { name: 'Go to the longest slice in view' }).click();
  await expect(page).toHaveURL(/slice=cpu0\.irq\.0@\d+/);
  await expect(page).toHaveURL(/window=/);
  await expect(page.getByRole('complementary', { name: 'Details' })).toContainText('4.017\u202fms');
  const [, start = ''] = /slice=cpu0\.irq\.0@(\d+)/.exec(page.url()) ?? [];
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/slice=/);
  await lanes(page);
  const box = await handle(page, 'cpu0.irq.0').boundingBox();
  const [, low = '', high = ''] = /window=(\d+)-(\d+)/.exec(page.url()) ?? [];
  const at = (Number(start) - Number(low)) / (Number(high) - Number(low));
  const { x } = await pointIn(page, at, 0);
  await page.mouse.move(x + 4, (box?.y ?? 0) + (box?.height ?? 0) / 2);
  await expect(page.getByTestId('hover')).toContainText('CPU 0 irq');
  await page.keyboard.press('m');
  await expect(page).toHaveURL(new RegExp(`a=${start}(&|$)`));
});

test('lanes are made higher and lower, which the link keeps', async ({ page, baseURL }) => {
  await openLanes(page, baseURL);
  const height = async () => (await handle(page, 'cpu0.sched.0').boundingBox())?.height ?? 0;
  const before = await height();
  await page.keyboard.press('+');
  await expect(page).toHaveURL(/height=\d+/);
  await expect.poll(height).toBe(before + 8);
  await page.reload();
  await lanes(page);
  await expect.poll(height).toBe(before + 8);
  await page.keyboard.press('-');
  await expect.poll(height).toBe(before);
});

test('all lanes are hidden by their switches, and shown again', async ({ page, baseURL }) => {
  await openLanes(page, baseURL);
  for (const kind of ['running', 'irq', 'softirq', 'idle'])
    await page.getByRole('button', { name: kind, exact: true, pressed: true }).click();
  await page.getByRole('button', { name: 'Show all lanes' }).click();
  await lanes(page);
  await expect.poll(() => order(page)).toEqual(NATURAL);
});

test('what to record stands above the events of a trace without lanes', async ({ page, baseURL }) => {
  const events = [1, 2, 3].map((at) => `  sh-7  [000] .....  8${at}.000000: thermal_temperature: temp=${at}`);
  const id = await uploadText(baseURL ?? '', 'only-points.txt', `# tracer: nop\n#\n${events.join('\n')}\n`);
  await page.goto('/');
  await page.getByRole('searchbox', { name: 'Search traces' }).fill('only-points');
  await page.locator(`a[href="/t/${id}"]`).first().click();
  for (const width of [1280, 420]) {
    await page.setViewportSize({ width, height: 800 });
    await page.getByRole('link', { name: 'Timeline', exact: true }).click();
    const command = await page.getByText('trace-cmd record').boundingBox();
    const heading = await page.getByText('Events', { exact: true }).last().boundingBox();
    if (!command || !heading) throw new Error('one of them is not drawn');
    expect(command.y + command.height).toBeLessThan(heading.y);
    await expectNoViolations(page);
  }
});
