import { expect, test, type Page } from '@playwright/test';

import { expectNoViolations, tabStops } from '../support/accessibility.ts';
import { slowestCall, worstCase } from '../support/diff.ts';
import { uploadSample } from '../support/trace.ts';

const cyclictest = 'cyclictest-load-6.12-rt.txt.zst';
const graph = 'timer-interrupt-6.12.txt.zst';

interface KeyboardPage {
  readonly name: string;
  readonly open: (page: Page, baseURL: string | undefined) => Promise<string>;
  readonly stops: readonly (string | RegExp)[];
  readonly keys: readonly string[];
}

/** The address of one page of a sample. */
const pageOf = (sample: string, path: string) => async (_: Page, baseURL: string | undefined) =>
  `/t/${await uploadSample(baseURL ?? '', sample)}${path}`;

/** Some of the controls that Tab reaches, in order, and the keys that the help lists. */
const pages: readonly KeyboardPage[] = [
  {
    name: 'the page of a trace',
    open: pageOf(cyclictest, ''),
    stops: [
      'Overview',
      'Timeline',
      'Download the file',
      'cyclic',
      'wakeup',
      'log',
      'histogram',
      'percentiles',
    ],
    keys: ['Next case', 'Open the case', 'Zoom out', 'Fit everything'],
  },
  {
    name: 'the timeline',
    open: pageOf(cyclictest, '/timeline'),
    stops: [
      'Timeline',
      'Filter events',
      'running',
      'to select',
      /^Show or hide the events/,
      /^Timeline of/,
      /^0\.0/,
    ],
    keys: [
      'Zoom out',
      'Next slice in the lane',
      'Set marks A and B at the selection or the pointer',
      'Filter events',
    ],
  },
  {
    name: 'the calls over time',
    open: pageOf(graph, '/calls'),
    stops: ['Calls', 'Over time', 'Merged', 'Functions', /^Pids of the tasks/, 'task', /^Function calls of/],
    keys: ['Zoom out', 'Calls merged by stack', 'List of functions'],
  },
  {
    name: 'the merged calls',
    open: pageOf(graph, '/calls?v=1&show=graph'),
    stops: ['Calls', 'Search functions', 'Merged', 'callees first', /^Function calls of/],
    keys: ['Zoom out', 'Zoom out by one function', 'Search functions'],
  },
  {
    name: 'the page of a case',
    open: async (page, baseURL) => (await worstCase(page, baseURL, cyclictest, 'timer')).path,
    stops: [
      'Overview',
      /^next/,
      /^Compare with normal/,
      /^Open in timeline/,
      /^Export/,
      /^expected expiry → /,
      /^Timeline around the case/,
      /^interrupts were off in stress-ng/,
      'all',
      /^part of the case/,
      /^[+−-]?[\d,.]+$/,
    ],
    keys: [
      'Next case of this kind',
      'Compare with normal',
      'Open in the timeline',
      'Export as text, page, picture or JSON',
    ],
  },
  {
    name: 'the comparison of two calls',
    open: async (page, baseURL) => {
      const { ref } = await slowestCall(page, baseURL, graph, '__sysvec_apic_timer_interrupt');
      return `/diff?abnormal=${ref}`;
    },
    stops: [
      'Overview',
      /^__sysvec_apic_timer_interrupt/,
      'the median',
      'all others',
      /^Swap/,
      /^noise floor/,
      'self',
      /^Save the two sides as a PNG/,
      /^Copy text/,
      'HTML',
      /^Copy link/,
      /^Abnormal above normal/,
      /µs/,
      /^▾.*__sysvec_apic_timer_interrupt/,
    ],
    keys: ['Swap the two sides', 'Compare with another one', 'Next contribution', 'Copy as text'],
  },
];

for (const { name, open, stops, keys } of pages) {
  test(`${name} is used without a mouse`, async ({ page, baseURL }) => {
    await page.goto(await open(page, baseURL));
    await expect(page.locator('canvas').first()).toBeVisible();
    await expect(page.locator('[data-rendered]').first()).toBeVisible();

    const reached = await tabStops(page, 90);
    expect(reached.filter(({ isMarked }) => !isMarked)).toEqual([]);
    expect(reached.filter((stop) => stop.name === '')).toEqual([]);
    let from = 0;
    for (const wanted of stops) {
      const at = reached.findIndex(
        (stop, index) =>
          index >= from && (typeof wanted === 'string' ? stop.name === wanted : wanted.test(stop.name)),
      );
      expect(
        at,
        `${wanted} among ${reached
          .slice(from)
          .map((stop) => stop.name)
          .join(' | ')}`,
      ).not.toBe(-1);
      from = at + 1;
    }

    await page.keyboard.press('Escape');
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    for (const key of keys) await expect(help.getByText(key, { exact: true }).first()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(help).toHaveCount(0);
  });

  test(`${name} can be used by everybody`, async ({ page, baseURL }) => {
    await page.goto(await open(page, baseURL));
    await expect(page.locator('canvas').first()).toBeVisible();
    await expect(page.locator('[data-rendered]').first()).toBeVisible();
    await expectNoViolations(page);
  });
}

test('the events of a case are one stop, and the arrow keys walk through them', async ({ page, baseURL }) => {
  await page.goto((await worstCase(page, baseURL, cyclictest, 'timer')).path);
  const rows = page.getByRole('table', { name: 'Events around the case' }).getByRole('row');
  const current = rows.locator('a[tabindex="0"]');
  await expect(current).toHaveCount(1);
  await page.getByRole('button', { name: /^part of the case/ }).focus();
  await page.keyboard.press('Tab');
  await expect(current).toBeFocused();
  await page.keyboard.press('End');
  await expect(rows.last().getByRole('link').first()).toBeFocused();
  await expect(rows.last()).toBeInViewport();
  await page.keyboard.press('Home');
  await expect(rows.nth(1).getByRole('link').first()).toBeFocused();
  await expect(current).toHaveCount(1);
  await page.keyboard.press('Tab');
  await expect(rows.getByRole('link').and(page.locator(':focus'))).toHaveCount(0);
});

test('the events beside the timeline are one stop, which stays where the keys went', async ({
  page,
  baseURL,
}) => {
  const id = await uploadSample(baseURL ?? '', cyclictest);
  await page.goto(`/t/${id}/timeline?events=shown`);
  const table = page.getByRole('table', { name: 'Visible events' });
  const current = table.locator('button[tabindex="0"]');
  await expect(current).toHaveCount(1);
  await current.focus();
  for (let pressed = 0; pressed < 6; pressed += 1) await page.keyboard.press('PageDown');
  const walked = await current.innerText();
  await expect(current).toBeFocused();
  await expect(current).toBeInViewport();
  await table.evaluate((element) => element.scrollTo({ top: 0 }));
  await page.keyboard.press('ArrowDown');
  await expect(current).not.toHaveText(walked);
  await expect(current).toBeFocused();
  await expect(current).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/event=/);
});
