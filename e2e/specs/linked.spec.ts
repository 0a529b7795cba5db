import { expect, test, type Page } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { openTrace } from '../support/catalog.ts';

const trace = 'cyclictest under load, PREEMPT_RT';

const cases = (page: Page) => page.getByRole('table', { name: 'Worst cases' }).locator('tbody tr');
const chosen = (page: Page) => page.getByRole('group', { name: 'Chosen' });

async function openDistribution(page: Page) {
  await openTrace(page, trace);
  const panel = page.getByRole('region', {
    name: 'Cyclic latency: distribution',
  });
  await expect(panel.locator('[data-rendered]')).toBeVisible();
  return { panel, surface: panel.getByRole('application') };
}

/** Lengths of the listed cases are within what the address says. */
async function expectCasesOfBand(page: Page): Promise<void> {
  await expect(page).toHaveURL(/worst=kind.*band=\d+-\d+/);
  const [, from = '', to = ''] = /band=(\d+)-(\d+)/.exec(page.url()) ?? [];
  await expect(page.locator('[data-rendered=kind]')).toBeVisible();
  const id = new URL(page.url()).pathname.split('/')[2] ?? '';
  const answer = await page.request.get(
    `/api/v1/traces/${id}/latencies?kind=cyclic&min=${from}ns&limit=1000`,
  );
  const { items } = (await answer.json()) as {
    readonly items: readonly { readonly duration_ns: number }[];
  };
  const wanted = items.filter(({ duration_ns }) => duration_ns < Number(to)).length;
  await expect(cases(page)).toHaveCount(Math.min(20, wanted));
  expect(wanted).toBeGreaterThan(0);
}

test('a bar and a stretch list their cases, are shown in every picture, and cleared by a click', async ({
  page,
}) => {
  const { panel, surface } = await openDistribution(page);
  await surface.scrollIntoViewIfNeeded();
  const box = await surface.boundingBox();
  if (box === null) throw new Error('no distribution');
  await page.mouse.move(box.x + box.width * 0.2, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.9, box.y + 80, { steps: 3 });
  await expect(panel.locator('[data-chosen]')).toBeVisible();
  await page.mouse.up();
  await expectCasesOfBand(page);
  await expect(panel.locator('[data-chosen]')).toBeVisible();
  const overTime = page.getByRole('region', {
    name: 'Cyclic latency over time, per CPU',
  });
  await expect(overTime.locator('[data-chosen]').first()).toBeVisible();
  await panel.getByRole('button', { name: 'percentiles' }).click();
  await expect(panel.locator('[data-chosen]')).toBeVisible();
  await page.reload();
  await expect(panel.locator('[data-chosen]')).toBeVisible();
  await expectNoViolations(page);

  await chosen(page)
    .getByRole('button', { name: /show all durations again$/ })
    .click();
  await expect(page).not.toHaveURL(/band=/);
  await expect(chosen(page)).toHaveCount(0);
  await expect(panel.locator('[data-chosen]')).toHaveCount(0);
  // The choice was a step of its own.
  await page.goBack();
  await expect(chosen(page)).toBeVisible();
});

test('a stretch of time is followed by the distribution and the list, and cleared by a click', async ({
  page,
}) => {
  const { panel } = await openDistribution(page);
  const overTime = page.getByRole('region', {
    name: 'Cyclic latency over time, per CPU',
  });
  const plot = overTime.locator('[data-rendered]');
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  if (box === null) throw new Error('no plot');
  const whole = await panel.getByRole('heading').locator('xpath=..').innerText();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.8, box.y + 80, { steps: 3 });
  await page.mouse.up();
  await expect(page).toHaveURL(/window=/);
  await expect(panel.getByRole('heading').locator('xpath=..')).not.toHaveText(whole, { useInnerText: true });
  await chosen(page)
    .getByRole('button', { name: /show the whole trace again$/ })
    .click();
  await expect(page).not.toHaveURL(/window=/);
});

test('durations are chosen without a mouse', async ({ page }) => {
  const { surface } = await openDistribution(page);
  await surface.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByTestId('distribution-hover')).toContainText('at');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Enter');
  await expectCasesOfBand(page);
  await surface.focus();
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/band=/);
});

test('a group of the statistics filters the list and the pictures, until it is clicked again', async ({
  page,
}) => {
  const { panel } = await openDistribution(page);
  await panel.getByRole('button', { name: 'CPU', exact: true }).click();
  const statistics = panel.getByRole('table', { name: 'Statistics' });
  await statistics.getByRole('button', { name: 'CPU 1' }).click();
  await expect(page).toHaveURL(/worst=kind.*stratum=cpu(:|%3A)1/);
  await expect(page.locator('[data-rendered=kind]')).toBeVisible();
  const heads = page.getByRole('table', { name: 'Worst cases' }).getByRole('columnheader');
  const cpus = async () => {
    const at = (await heads.allInnerTexts()).findIndex((head) => head.trim() === 'CPU');
    const cells = cases(page).locator(`td:nth-child(${at + 1})`);
    return [...new Set(await cells.allInnerTexts())];
  };
  // Until the cases of the group are there, their rows are empty.
  await expect.poll(cpus).toEqual(['1']);
  await expect(statistics.locator('tbody tr')).toHaveCount(1);
  await expectNoViolations(page);
  await page.reload();
  await expect(statistics.locator('tbody tr')).toHaveCount(1);
  await chosen(page)
    .getByRole('button', { name: /^CPU 1: show all samples again$/ })
    .click();
  await expect(statistics.locator('tbody tr')).toHaveCount(2);
  await expect(page).not.toHaveURL(/stratum=/);
});

test('the tail has the causes of the durations that are brushed in the distribution', async ({ page }) => {
  const { surface } = await openDistribution(page);
  const tail = page.getByRole('region', { name: 'Cyclic latency: tail' });
  await expect(tail.locator('[data-rendered]')).toBeVisible();
  await surface.scrollIntoViewIfNeeded();
  const box = await surface.boundingBox();
  if (box === null) throw new Error('no distribution');
  await page.mouse.move(box.x + box.width * 0.3, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, box.y + 80, { steps: 3 });
  await page.mouse.up();
  const own = tail.getByRole('button', { name: /^Cases of chosen: \d/ });
  await expect(own).toHaveAttribute('aria-pressed', 'true');
  const words = (await own.getAttribute('aria-label')) ?? '';
  const [, from = '', to = ''] = /band=(\d+)-(\d+)/.exec(page.url()) ?? [];
  const id = new URL(page.url()).pathname.split('/')[2] ?? '';
  const answer = await page.request.get(
    `/api/v1/traces/${id}/latencies/tail?kind=cyclic&min=${from}ns&max=${Number(to) - 1}ns`,
  );
  const { chosen: band } = (await answer.json()) as {
    chosen: { count: number; total_ns: number };
  };
  expect(Number(/: ([\d,]+) sample/.exec(words)?.[1]?.replaceAll(',', ''))).toBe(band.count);
  await expect(page.getByTestId('tail-hover')).toContainText('chosen');
  await own.click();
  await expect(own).toHaveCount(0);
});
