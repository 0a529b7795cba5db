import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Checks that the page breaks no rule that a program can check, in both themes, in which only colours differ. */
export async function expectNoViolations(page: Page): Promise<void> {
  // A note that something is being loaded fades in, and has less contrast on its way.
  await expect(page.getByRole('status').filter({ hasText: /^Loading/ })).toHaveCount(0);
  await switchTo(page, 'light');
  await expectNone(page);
  await switchTo(page, 'dark');
  await expectNone(page, ['color-contrast', 'link-in-text-block']);
}

/** The page follows the system in its own time, unless it has no themes, or one was chosen on it. */
async function switchTo(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const hasFollowed = (name: string) => {
    const { theme } = document.documentElement.dataset;
    return theme === undefined || theme === name || localStorage.getItem('jitterscope.theme') !== null;
  };
  await expect.poll(() => page.evaluate(hasFollowed, colorScheme)).toBe(true);
}

/** Checks that a finger hits each control alone. */
export async function expectRoomForFingers(page: Page): Promise<void> {
  await expect(page.getByRole('status').filter({ hasText: /^Loading/ })).toHaveCount(0);
  await expectNone(page, ['target-size']);
}

async function expectNone(page: Page, rules?: string[]): Promise<void> {
  // Colours pass from one theme to the other.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished),
    ),
  );
  // Of one frame: a second page, in which the results of several would be joined, takes longer than the check.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  if (rules !== undefined) axe.withRules(rules);
  const { violations } = await axe.analyze();
  expect(violations.map((found) => `${found.id}: ${found.nodes[0]?.html}`)).toEqual([]);
}

interface TabStop {
  /** What a screen reader announces. */
  readonly name: string;
  /** Whether it has a visible outline, itself or what it draws over a larger part. */
  readonly isMarked: boolean;
}

/** The controls that Tab reaches next, until it leaves the page or was pressed `most` times. */
export async function tabStops(page: Page, most: number): Promise<readonly TabStop[]> {
  const stops: TabStop[] = [];
  for (let pressed = 0; pressed < most; pressed += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const at = document.activeElement;
      if (!(at instanceof HTMLElement) || at === document.body) return undefined;
      const label = at instanceof HTMLInputElement || at instanceof HTMLSelectElement ? at.labels?.[0] : at;
      const rings = [getComputedStyle(at), getComputedStyle(at, '::after')];
      return {
        name: (at.getAttribute('aria-label') ?? label?.innerText ?? '').replaceAll(/\s+/g, ' ').trim(),
        isMarked: rings.some(
          ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1,
        ),
      };
    });
    if (stop === undefined) break;
    stops.push(stop);
  }
  return stops;
}
