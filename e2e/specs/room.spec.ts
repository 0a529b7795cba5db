import { expect, test, type Page } from '@playwright/test';

import { openTrace } from '../support/catalog.ts';
import { lanes, pointIn } from '../support/lanes.ts';
import { header, recordingOf, textFile } from '../support/recording.ts';

/** How much of the chart's height its rows take, from 0 to 1. */
async function rowsOfHeight(page: Page): Promise<number> {
  const chart = await (await lanes(page)).boundingBox();
  const last = await page.locator('[data-row]').last().boundingBox();
  if (!chart || !last) throw new Error('the lanes have no size');
  return (last.y + last.height - chart.y) / chart.height;
}

const places = [
  { trace: 'cyclictest under load, PREEMPT_RT', tab: 'Timeline' },
  { trace: 'Timer interrupt, function_graph', tab: 'Calls' },
];

for (const { trace, tab } of places) {
  test(`the lanes of few CPUs grow to fill the page: ${tab}`, async ({ page }) => {
    await openTrace(page, trace);
    await page.getByRole('link', { name: tab, exact: true }).click();
    // The page before has rows, too.
    await expect(page.getByRole('heading', { name: new RegExp(`^${tab} of `), level: 1 })).toBeVisible();
    await expect.poll(() => rowsOfHeight(page)).toBeGreaterThan(0.7);
    expect(await rowsOfHeight(page)).toBeLessThanOrEqual(1);
  });
}

test('on a wall the rows of tasks take the room that is left', async ({ page }) => {
  await page.setViewportSize({ width: 2560, height: 1440 });
  await openTrace(page, 'cyclictest under load, PREEMPT_RT');
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Timeline of /, level: 1 })).toBeVisible();
  await expect.poll(() => rowsOfHeight(page)).toBeGreaterThan(0.95);
  expect(await rowsOfHeight(page)).toBeLessThanOrEqual(1);
});

test('one CPU on a wall leaves the events what its rows cannot use', async ({ page }) => {
  await page.setViewportSize({ width: 2560, height: 1440 });
  await openTrace(page, 'cyclictest under load, PREEMPT_RT');
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Timeline of /, level: 1 })).toBeVisible();
  await page
    .getByRole('group', { name: 'CPU', exact: true })
    .getByRole('button', { name: '1', exact: true })
    .click();
  await expect(page).toHaveURL(/cpu=0/);
  await expect
    .poll(async () => (await page.locator('[data-row="0"]').first().boundingBox())?.height)
    .toBe(192);
  await expect.poll(() => rowsOfHeight(page)).toBeGreaterThan(0.95);
  const events = await page.getByRole('region', { name: 'Events', exact: true }).boundingBox();
  expect(events?.height).toBeGreaterThan(720);
});

test('on a wall the rows of calls are higher', async ({ page }) => {
  await page.setViewportSize({ width: 2560, height: 1440 });
  await openTrace(page, 'Timer interrupt, function_graph');
  await page.getByRole('link', { name: 'Calls', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Calls of /, level: 1 })).toBeAttached();
  await expect.poll(() => rowsOfHeight(page)).toBeGreaterThan(0.9);
});

test('on a wall the numbers of the statistics stay near their group', async ({ page }) => {
  await page.setViewportSize({ width: 2560, height: 1440 });
  await openTrace(page, 'timerlat, PREEMPT_RT');
  const table = page.getByRole('table', { name: 'Statistics' });
  await expect(table).toBeVisible();
  expect((await table.boundingBox())?.width).toBeLessThanOrEqual(1280);
});

test('on a wall the numbers of the functions stay near their names', async ({ page }) => {
  await page.setViewportSize({ width: 2560, height: 1440 });
  await openTrace(page, 'Timer interrupt, function_graph');
  const table = page.getByRole('table', { name: 'Functions', exact: true });
  await expect(table).toBeVisible();
  expect((await table.boundingBox())?.width).toBeLessThanOrEqual(1600);
});

test('a trace of calls alone has them on its timeline, and the way to their page', async ({ page }) => {
  const name = 'Timer interrupt, function_graph';
  await openTrace(page, name);
  await page.goto(`${new URL(page.url()).pathname}/timeline`);
  await expect(page.getByRole('group', { name: `Calls of ${name} on each CPU` })).toBeVisible();
  await expect.poll(() => rowsOfHeight(page)).toBeGreaterThan(0.7);
  const { x, y } = await pointIn(page, 0.3, 0);
  await page.mouse.move(x, y);
  await page.keyboard.down('Shift');
  await page.mouse.down();
  await page.mouse.move(x + 120, y, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await expect(page).toHaveURL(/area=\d+-\d+/);
  await page.getByRole('link', { name: 'Open in Calls', exact: true }).click();
  await expect(page.getByRole('heading', { name: `Calls of ${name}`, level: 1 })).toBeAttached();
});

test('on a tablet the tools of a timeline without switches are in sight', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await openTrace(page, 'Timer interrupt, function_graph');
  await page.goto(`${new URL(page.url()).pathname}/timeline`);
  await expect(page.getByRole('button', { name: /^Fit / })).toBeInViewport();
});

test('a list of few events leaves its room to the lanes', async ({ page }) => {
  await openTrace(page, 'A timer that came 10 ms late');
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await lanes(page);
  const events = page.getByRole('region', { name: 'Events', exact: true });
  await expect(events.getByRole('table')).toBeVisible();
  const box = await events.boundingBox();
  // Of 900 pixels: seven rows with their heads.
  expect(box?.height).toBeLessThan(240);
});

test('on a tablet the sentences of the worst cases take half of their table', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await openTrace(page, 'cyclictest under load, PREEMPT_RT');
  const table = page.getByRole('table', { name: 'Worst cases' });
  const why = table.getByRole('columnheader', { name: 'Why' });
  await expect(why).toBeVisible();
  const [whole, sentences] = await Promise.all([table.boundingBox(), why.boundingBox()]);
  expect((sentences?.width ?? 0) / (whole?.width ?? 1)).toBeGreaterThan(0.5);
});

test('on a phone the last column that is left keeps its distance from the edge', async ({ page }) => {
  await page.setViewportSize({ width: 420, height: 900 });
  await openTrace(page, 'Timer interrupt, function_graph');
  await page
    .getByRole('table', { name: 'Worst cases' })
    .getByRole('link', { name: 'call', exact: true })
    .click();
  const causes = page.getByRole('table', { name: 'Where the time went' });
  await expect(causes.getByRole('columnheader', { name: 'Share', exact: true })).toBeHidden();
  await expect(causes.getByRole('columnheader', { name: 'Time' })).toHaveCSS('padding-right', '16px');
});

test('on a phone the ways of a comparison are one row', async ({ page }) => {
  await page.setViewportSize({ width: 420, height: 900 });
  await openTrace(page, 'Timer interrupt, function_graph');
  await page
    .getByRole('table', { name: 'Worst cases' })
    .getByRole('link', { name: 'call', exact: true })
    .click();
  await page.getByRole('link', { name: /^Compare with normal/ }).click();
  const ways = page.getByRole('button', { name: 'all others' });
  await expect(ways).toBeVisible();
  const shape = await page.getByRole('group', { name: 'shape' }).boundingBox();
  const floor = await page.getByText('noise floor', { exact: true }).boundingBox();
  expect(shape?.height).toBeLessThan(32);
  expect(floor?.height).toBeLessThan(32);
});

test('on a phone the bar above the lanes shows that it goes on, and a click leads there', async ({
  page,
}) => {
  await page.setViewportSize({ width: 420, height: 900 });
  await openTrace(page, 'cyclictest under load, PREEMPT_RT');
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await lanes(page);
  const bar = page
    .locator('[data-after]')
    .filter({ has: page.getByRole('group', { name: 'Lanes' }) })
    .first();
  const events = page.getByRole('button', { name: 'Show or hide the events (E)' });
  await expect(bar).toHaveAttribute('data-before', 'false');
  await expect(events).not.toBeInViewport();
  await expect(async () => {
    await bar.getByText('›', { exact: true }).click({ timeout: 1000 });
    await expect(events).toBeInViewport({ timeout: 100 });
  }).toPass();
  await expect(bar).toHaveAttribute('data-before', 'true');
  await events.click();
  await expect(page.getByRole('region', { name: 'Events' })).toHaveCount(0);
});

/** A wakeup that waits on CPU 0 while all that is drawn of a CPU happens there. */
function busyCpu(): string {
  const from = (task: string, us: number, event: string) =>
    `${task.padStart(16)}       [000] d..2.   100.${String(us).padStart(6, '0')}: ${event}\n`;
  const [hog, idle] = ['hog-7', '<idle>-0'];
  const switched = (prev: string, next: string) => {
    const [[prevComm, prevPid], [nextComm, nextPid]] = [prev.split('-'), next.split('-')];
    return `sched_switch: prev_comm=${prevComm} prev_pid=${prevPid} prev_prio=120 prev_state=R ==> next_comm=${nextComm} next_pid=${nextPid} next_prio=120`;
  };
  return [
    header,
    from(idle, 0, 'cpu_idle: state=1 cpu_id=0'),
    from(idle, 5, 'cpu_idle: state=4294967295 cpu_id=0'),
    from(idle, 6, 'cpu_frequency: state=1500000 cpu_id=0'),
    from(idle, 10, switched('swapper/0-0', hog)),
    from(hog, 20, 'sched_waking: comm=late pid=9 prio=120 target_cpu=000'),
    from(hog, 30, 'preempt_disable: caller=here+0x0/0x10 parent=there+0x0/0x10'),
    from(hog, 40, 'irq_disable: caller=here+0x0/0x10 parent=there+0x0/0x10'),
    from(hog, 50, 'irq_handler_entry: irq=9 name=disk'),
    from(hog, 60, 'irq_handler_exit: irq=9 ret=handled'),
    from(hog, 70, 'softirq_entry: vec=4 [action=BLOCK]'),
    from(hog, 80, 'softirq_exit: vec=4 [action=BLOCK]'),
    from(hog, 90, 'irq_enable: caller=here+0x0/0x10 parent=there+0x0/0x10'),
    from(hog, 95, 'preempt_enable: caller=here+0x0/0x10 parent=there+0x0/0x10'),
    from(hog, 100, 'cpu_frequency: state=2000000 cpu_id=0'),
    from(hog, 120, switched(hog, 'late-9')),
    from('late-9', 130, 'cpu_idle: state=1 cpu_id=0'),
  ].join('');
}

test('no lane of a case is cut, however many kinds there are', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/');
  await page.getByLabel('Traces to upload').setInputFiles(textFile('busy-cpu.txt', busyCpu()));
  await page.getByRole('region', { name: 'Uploads' }).getByRole('link', { name: 'busy-cpu.txt' }).click();
  await page
    .getByRole('table', { name: 'Worst cases' })
    .getByRole('link', { name: 'wakeup', exact: true })
    .click();
  const chart = page.getByRole('group', { name: /^Timeline around the case/ });
  const rows = chart.locator('[data-row]');
  await expect.poll(() => rows.count()).toBeGreaterThan(6);
  await expect(async () => {
    const around = await chart.boundingBox();
    const last = await rows.last().boundingBox();
    if (!around || !last) throw new Error('the lanes have no size');
    expect(last.y + last.height).toBeLessThanOrEqual(around.y + around.height);
  }).toPass();
});

test('on a phone a dialog that a bar of tools opens breaks its lines', async ({ page }) => {
  await page.setViewportSize({ width: 420, height: 900 });
  await openTrace(page, 'cyclictest under load, PREEMPT_RT');
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await page.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export for another tool' });
  await expect(dialog.getByRole('link').first()).toBeVisible();
  expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
});

test('the names of the columns stay in sight over a long table of a chart', async ({ page }) => {
  await openTrace(page, 'cyclictest under load, PREEMPT_RT');
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await lanes(page);
  await page
    .getByRole('button')
    .filter({ hasText: /^Table$/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Slices' });
  await dialog.getByRole('row').last().scrollIntoViewIfNeeded();
  await expect(dialog.getByRole('columnheader', { name: 'lane' })).toBeInViewport();
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeInViewport();
});

test('on a phone the ways on from a case are one row, and so is its place', async ({ page }) => {
  await page.setViewportSize({ width: 420, height: 900 });
  await openTrace(page, 'cyclictest under load, PREEMPT_RT');
  await page
    .getByRole('table', { name: 'Worst cases' })
    .getByRole('link', { name: 'cyclic', exact: true })
    .click();
  const place = page.getByRole('navigation', { name: 'Cases of this kind' });
  await expect(place).toContainText('of 1,781');
  expect((await place.boundingBox())?.height).toBeLessThan(32);
  const compare = await page.getByRole('link', { name: /^Compare with normal/ }).boundingBox();
  const exported = await page.getByRole('button', { name: /^Export/ }).boundingBox();
  expect(Math.abs((compare?.y ?? 0) - (exported?.y ?? 99))).toBeLessThan(12);
});

test('on a tablet the facts under the pointer have a second line, and nothing moves for it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await openTrace(page, 'cyclictest under load, PREEMPT_RT');
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await lanes(page);
  const strip = page.getByTestId('hover');
  const before = await strip.boundingBox();
  expect(before?.height).toBeLessThan(26);
  const { x, y } = await pointIn(page, 0.5, 1);
  await page.mouse.move(x, y);
  await expect(strip).toContainText('busy');
  expect(await strip.boundingBox()).toEqual(before);
  const last = await strip
    .getByText(/^longest/)
    .or(strip.getByText(/^duration/))
    .last()
    .boundingBox();
  expect((last?.x ?? 0) + (last?.width ?? 999)).toBeLessThanOrEqual(768);
});

test('on a tablet a long name leaves the tools in its line', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  const name = `${'a-long-name-'.repeat(6)}of-a-trace.txt`;
  await page.goto('/');
  await page.getByLabel('Traces to upload').setInputFiles(textFile(name, recordingOf('longname')));
  await page.getByRole('region', { name: 'Uploads' }).getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { name: /^a-long-name-/, level: 1 })).toBeVisible();
  const bar = page.getByRole('banner');
  const [home, share] = await Promise.all([
    bar.getByRole('link', { name: 'jitterscope' }).boundingBox(),
    bar.getByRole('button', { name: 'Share' }).boundingBox(),
  ]);
  expect(Math.abs((home?.y ?? 0) - (share?.y ?? 99))).toBeLessThan(20);
});

test('on a tablet a name that has room is whole', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await openTrace(page, 'cyclictest under load, PREEMPT_RT');
  const name = page.getByRole('banner').getByText('cyclictest under load, PREEMPT_RT');
  await expect(name).toBeVisible();
  const cutPx = await name.evaluate((place) => place.scrollWidth - place.clientWidth);
  expect(cutPx).toBe(0);
});

test('on a tablet the cells of the documentation are wide enough to be read', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.goto('/help/settings');
  const meaning = page.getByText(/^Address to listen on/);
  await expect(meaning).toBeVisible();
  expect((await meaning.boundingBox())?.width).toBeGreaterThan(300);
});

test('on a tablet the sentences of the catalog have half of its width', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.goto('/?q=cyclictest+under+load');
  const sentence = page.locator('tbody [data-column="why"]');
  await expect(sentence).toContainText('late');
  expect((await sentence.boundingBox())?.width).toBeGreaterThan(384);
});
