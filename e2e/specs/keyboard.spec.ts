import { expect, test } from '@playwright/test';

import { expectNoViolations, tabStops } from '../support/accessibility.ts';
import { uploadSample } from '../support/trace.ts';

const cyclictest = 'cyclictest-load-6.12-rt.txt.zst';
const graph = 'timer-interrupt-6.12.txt.zst';

/** The controls that Tab reaches, in this order, among others; and the keys that the help tells. */
const pages = [
  {
    name: 'the page of a trace',
    sample: cyclictest,
    path: '',
    stops: [
      'Overview',
      'Timeline',
      'Download the file',
      'wakeup',
      'cyclic',
      'log',
      'histogram',
      'percentiles',
    ],
    keys: ['Next case', 'Open the case', 'Zoom out', 'Fit everything'],
  },
  {
    name: 'the timeline',
    sample: cyclictest,
    path: '/timeline',
    stops: [
      'Timeline',
      'Filter events',
      'running',
      'selects',
      /^Show or hide the events/,
      /^Timeline of/,
      /^0\.0/,
    ],
    keys: [
      'Zoom out',
      'Next slice of the lane',
      'Mark A and B: the selection, or the pointer',
      'Filter events',
    ],
  },
  {
    name: 'the calls over time',
    sample: graph,
    path: '/calls',
    stops: ['Calls', 'Over time', 'Merged', 'Functions', /^Pids of the tasks/, 'task', /^Function calls of/],
    keys: ['Zoom out', 'Calls merged by their stacks', 'List of functions'],
  },
  {
    name: 'the merged calls',
    sample: graph,
    path: '/calls?v=1&show=graph',
    stops: ['Calls', 'Search functions', 'Merged', 'callees first', /^Function calls of/],
    keys: ['Zoom out', 'One function back out', 'Search functions'],
  },
] as const;

for (const { name, sample, path, stops, keys } of pages) {
  test(`${name} is used without a mouse`, async ({ page, baseURL }) => {
    const id = await uploadSample(baseURL ?? '', sample);
    await page.goto(`/t/${id}${path}`);
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

  for (const colorScheme of ['dark', 'light'] as const) {
    test.describe(`in the ${colorScheme} theme`, () => {
      test.use({ colorScheme });

      test(`${name} can be used by everybody`, async ({ page, baseURL }) => {
        const id = await uploadSample(baseURL ?? '', sample);
        await page.goto(`/t/${id}${path}`);
        await expect(page.locator('canvas').first()).toBeVisible();
        await expect(page.locator('[data-rendered]').first()).toBeVisible();
        await expectNoViolations(page);
      });
    });
  }
}
