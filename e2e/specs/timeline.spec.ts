import { expect, test, type Page } from '@playwright/test';

import { openTrace } from '../support/catalog.ts';
import { lanes, move, pointIn } from '../support/lanes.ts';
import { recordingOf } from '../support/recording.ts';
import { uploadSample, uploadText } from '../support/trace.ts';

const sample = 'cyclictest-break-6.12-rt.txt';

async function openTimeline(page: Page, baseURL: string | undefined, search = ''): Promise<string> {
  const id = await uploadSample(baseURL ?? '', sample);
  await page.goto(`/t/${id}/timeline${search}`);
  await lanes(page);
  return id;
}

test('keys zoom and pan, and Back undoes a jump', async ({ page, baseURL }) => {
  await openTimeline(page, baseURL);
  const window = page.getByTestId('window');
  const whole = await window.innerText();
  await move(page, 'w', 'w');
  const zoomed = await window.innerText();
  expect(zoomed).not.toBe(whole);
  await move(page, 'd');
  const panned = await window.innerText();
  await page.keyboard.press('f');
  await expect(page).not.toHaveURL(/window=/);
  await expect(window).toHaveText(whole);
  await page.goBack();
  await expect(window).toHaveText(panned);
  await page.goForward();
  await expect(window).toHaveText(whole);
});

test('Back undoes one zoom after the other, and a pan with the zoom before it', async ({ page, baseURL }) => {
  await openTimeline(page, baseURL);
  const window = page.getByTestId('window');
  const shown = [await window.innerText()];
  for (const key of ['w', 'w', 's']) {
    await move(page, key);
    shown.push(await window.innerText());
  }
  await move(page, 'd');
  for (const text of shown.slice(0, 3).toReversed()) {
    await page.goBack();
    await expect(window).toHaveText(text);
  }
});

test('slices of a lane are stepped through by keys and by buttons', async ({ page, baseURL }) => {
  // The task runs on CPU 0 a second time.
  const again = [
    '          <idle>-0       [000] d..2.   100.000060: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=stepped next_pid=7 next_prio=120',
    '         stepped-7       [000] d..2.   100.000080: sched_switch: prev_comm=stepped prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120',
  ];
  const text = `${recordingOf('stepped').replace('3/3', '5/5')}${again.join('\n')}\n`;
  const id = await uploadText(baseURL ?? '', 'step.txt', text);
  await page.goto(`/t/${id}/timeline`);
  const { x, y } = await pointIn(page, 0.1, 0);
  await page.mouse.click(x, y);
  await expect(page).toHaveURL(/slice=cpu0\.sched\.0@0/);
  await page.keyboard.press('.');
  const next = /slice=cpu0\.sched\.0@50000(&|$)/;
  await expect(page).toHaveURL(next);
  await page.keyboard.press(',');
  await expect(page).toHaveURL(/slice=cpu0\.sched\.0@0(&|$)/);
  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByRole('button', { name: 'Next slice in the lane' }).click();
  await expect(page).toHaveURL(next);
  await details.getByRole('button', { name: 'Previous slice in the lane' }).click();
  await expect(page).toHaveURL(/slice=cpu0\.sched\.0@0(&|$)/);
});

test('hovering shows every nanosecond', async ({ page, baseURL }) => {
  const id = await uploadText(baseURL ?? '', 'hover.txt', recordingOf('hovered'));
  await page.goto(`/t/${id}/timeline`);
  const { x, y } = await pointIn(page, 0.25, 0);
  await page.mouse.move(x, y);
  const strip = page.getByTestId('hover');
  await expect(strip).toContainText('hovered-7');
  await expect(strip).toContainText('start 0.000000000\u202fs');
  await expect(strip).toContainText('duration 30,000\u202fns');
});

test('beside two cursors, the line under the lanes still has the lengths', async ({ page, baseURL }) => {
  const id = await uploadText(baseURL ?? '', 'lengths.txt', recordingOf('a-rather-long-x'));
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`/t/${id}/timeline?a=1000&b=41000`);
  const { x, y } = await pointIn(page, 0.25, 0);
  await page.mouse.move(x, y);
  const strip = page.getByTestId('hover');
  await expect(strip).toContainText('a-rather-long-x-7');
  const line = await strip.boundingBox();
  const lengths = await Promise.all(
    [/^duration 30,000/, /^B − A 40,000/].map((length) => strip.getByText(length).boundingBox()),
  );
  for (const length of lengths) {
    expect(length?.y).toBeLessThan((line?.y ?? 0) + (line?.height ?? 0));
    expect((length?.x ?? 0) + (length?.width ?? 9999)).toBeLessThanOrEqual(1280);
  }
});

test('what lies under a pointer that rests is said anew once the window has moved', async ({ page }) => {
  await openTrace(page, 'cyclictest under load, PREEMPT_RT');
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Timeline of /, level: 1 })).toBeVisible();
  await lanes(page);
  const { x, y } = await pointIn(page, 0.3, 0);
  await page.mouse.move(x, y);
  const strip = page.getByTestId('hover');
  // Of a whole second, a pixel sums up many slices.
  await expect(strip).toContainText('slices');
  await page.keyboard.down('Control');
  for (let turned = 0; turned < 12; turned += 1) {
    // oxlint-disable-next-line no-await-in-loop -- a wheel turns step by step
    await page.mouse.wheel(0, -240);
  }
  await page.keyboard.up('Control');
  await expect(strip).toContainText(/start \d+\.\d*[1-9]/);
  await expect(strip).not.toContainText('unknown task');
});

test('a link opens with the same window, lanes and selection', async ({ page, baseURL, browser }) => {
  const id = await uploadText(baseURL ?? '', 'link.txt', recordingOf('linked'));
  await page.goto(`/t/${id}/timeline`);
  const { x, y } = await pointIn(page, 0.25, 0);
  await page.mouse.click(x, y);
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details).toContainText('30,000\u202fns');
  await page.getByRole('group', { name: 'CPU' }).getByRole('button', { name: '1' }).click();
  await page.keyboard.press('w');
  await expect(page).toHaveURL(/slice=cpu0\.sched\.0@0/);
  await expect(page).toHaveURL(/window=/);
  const window = await page.getByTestId('window').innerText();

  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const elsewhere = await context.newPage();
  await elsewhere.goto(page.url());
  await lanes(elsewhere);
  await expect(elsewhere.getByTestId('window')).toHaveText(window);
  await expect(elsewhere.getByRole('complementary', { name: 'Details' })).toContainText('linked-7');
  const cpu = elsewhere.getByRole('group', { name: 'CPU' });
  await expect(cpu.getByRole('button', { name: '0' })).toHaveAttribute('aria-pressed', 'true');
  await expect(cpu.getByRole('button', { name: '1' })).toHaveAttribute('aria-pressed', 'false');
  await context.close();
});

test('a stretch is selected by dragging with Shift, and its length is told', async ({ page, baseURL }) => {
  await openTimeline(page, baseURL);
  const from = await pointIn(page, 0.25, 0);
  const to = await pointIn(page, 0.5, 0);
  await page.keyboard.down('Shift');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, to.y);
  await page.mouse.move(to.x, to.y);
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await expect(page).toHaveURL(/area=\d+-\d+/);
  const [, start = '', end = ''] = /area=(\d+)-(\d+)/.exec(page.url()) ?? [];
  const length = (Number(end) - Number(start)).toLocaleString('en-US');
  await expect(page.getByTestId('area-length')).toContainText(`${length}\u202fns`);
  await page.keyboard.press('m');
  await expect(page.getByTestId('cursors')).toContainText(`${length}\u202fns`);
});

test('the events follow the filter and lead back to the lanes', async ({ page, baseURL }) => {
  await openTimeline(page, baseURL);
  const events = page.getByRole('table', { name: 'Visible events' });
  await page.keyboard.press('/');
  await page.keyboard.type('event:sched_switch');
  await expect(page).toHaveURL(/q=event:sched_switch/);
  await expect(events).not.toHaveAttribute('data-stale');
  const row = events.getByRole('row').nth(3);
  await expect(row).toContainText('sched_switch');
  await row.getByRole('button').first().click();
  await expect(page).toHaveURL(/event=cpu\d+@\d+/);
  await expect(events.getByRole('row', { selected: true })).toHaveCount(1);
});
