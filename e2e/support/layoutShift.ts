import { expect, type Page } from '@playwright/test';

interface Shift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly { readonly node: Node | null }[];
}

/**
 * Lets the page's scripts and answers through one at a time, each only after the one before has been painted. On a
 * fast machine they arrive within one frame, and what they push about is never seen.
 */
export async function deliverOneByOne(page: Page): Promise<void> {
  let before: Promise<unknown> = Promise.resolve();
  await page.route(/\/api\/|\/assets\/.*\.js$/, (route) => {
    before = before.then(async () => {
      await route.continue();
      await (await route.request().response())?.finished();
      await twoFrames(page);
    });
    // A request that the page has given up has no answer; the next one goes on all the same.
    before = before.catch(() => undefined);
  });
}

/** Waits until nothing is loading any more and the last of it is on the screen. */
export async function expectSettled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await twoFrames(page);
}

const twoFrames = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

declare global {
  interface Window {
    /** What moved, newest last; ends the watch. */
    takeShifts: () => Shift[];
  }
}

/** Watches from before the page's own scripts run. */
export async function watchLayout(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    const keep = (entries: PerformanceEntryList) => shifts.push(...(entries as Shift[])); // observed by their type
    const observer = new PerformanceObserver((list) => keep(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    window.takeShifts = () => {
      keep(observer.takeRecords());
      observer.disconnect();
      return shifts;
    };
  });
}

/** How far things moved since the page was opened, without anybody having touched it: the sum, and what it was. */
export async function layoutShift(page: Page): Promise<{ total: number; moved: readonly string[] }> {
  return page.evaluate(() => {
    const shifts = window.takeShifts().filter((shift) => !shift.hadRecentInput);
    const nameOf = (node: Node | null) =>
      node instanceof Element ? `${node.tagName.toLowerCase()}.${node.className}` : '(text)';
    return {
      total: shifts.reduce((sum, { value }) => sum + value, 0),
      moved: shifts.flatMap(({ value, sources }) =>
        sources.map(({ node }) => `${value.toFixed(3)} ${nameOf(node)}`),
      ),
    };
  });
}
