import { expect, test, type Page } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { openTrace } from '../support/catalog.ts';

async function openLoaded(page: Page): Promise<void> {
  await page.setViewportSize({ width: 420, height: 800 });
  await openTrace(page, 'cyclictest under load, PREEMPT_RT');
}

/** What the tooltip says; a phone's screen shows all of it. */
async function meaning(page: Page): Promise<string> {
  const tooltip = page.getByRole('tooltip');
  await expect(tooltip).toBeInViewport({ ratio: 1 });
  return tooltip.innerText();
}

test('kinds of latency say what they mean under the pointer and the focus', async ({ page }) => {
  await openLoaded(page);
  const catalog = await page.request.get('/api/v1/catalog');
  const { latencies } = (await catalog.json()) as {
    latencies: { kind: string; definition: string }[];
  };
  const wakeup = latencies.find(({ kind }) => kind === 'wakeup')?.definition ?? 'not in the catalog';

  const listed = page
    .getByRole('table', { name: 'Worst cases' })
    .getByRole('link', { name: 'wakeup', exact: true })
    .first();
  await listed.hover();
  expect(await meaning(page)).toContain(wakeup);
  await page.mouse.move(0, 0);
  await expect(page.getByRole('tooltip')).toHaveCount(0);

  await listed.focus();
  expect(await meaning(page)).toContain(wakeup);
  await expect(listed).toHaveAccessibleDescription(`Wakeup latency ${wakeup}`);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tooltip')).toHaveCount(0);

  await page.keyboard.press('Enter');
  const place = page.getByRole('navigation', { name: 'Cases of this kind' }).getByRole('link').first();
  await place.hover();
  expect(await meaning(page)).toContain(wakeup);
  // The pointer may go on to the words.
  await page.getByRole('tooltip').hover();
  expect(await meaning(page)).toContain(wakeup);
});

test('the reasons of a chain say when they hold, under the pointer and the focus', async ({ page }) => {
  await openLoaded(page);
  await page
    .getByRole('table', { name: 'Worst cases' })
    .getByRole('link', { name: 'cyclic', exact: true })
    .click();
  const reason = page.getByRole('list', { name: 'Chain' }).getByRole('button').first();
  await reason.hover();
  const told = await meaning(page);
  expect(told.length).toBeGreaterThan(40);
  await page.mouse.move(0, 0);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await reason.focus();
  expect(await meaning(page)).toBe(told);
  await expectNoViolations(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tooltip')).toHaveCount(0);
});

test('the stages of a case say what happens at their ends, under the pointer and the focus', async ({
  page,
}) => {
  await openLoaded(page);
  await page
    .getByRole('table', { name: 'Worst cases' })
    .getByRole('link', { name: 'cyclic', exact: true })
    .click();
  const stages = page.getByRole('list', { name: 'Stages' });
  await stages.getByRole('button', { name: /return to user/ }).hover();
  expect(await meaning(page)).toMatch(
    /switch → return to user: .*%[^]*The CPU is given to the task[^]*The system call ends/,
  );
  await page.mouse.move(0, 0);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await stages.getByRole('button').first().focus();
  expect(await meaning(page)).toContain('The timer is due');
  await expectNoViolations(page);
});
