import { expect, test, type Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';

import { expectNoViolations } from '../support/accessibility.ts';
import { traceLinks } from '../support/catalog.ts';
import { histogram } from '../support/cyclictest.ts';
import { verboseText } from '../support/cyclictestRun.ts';
import { uploadText } from '../support/trace.ts';

/** Five runs before a change and five after it, uploaded by hand on the first page. */
async function uploadRuns(page: Page, experiment: string): Promise<void> {
  const files = ['before', 'after'].flatMap((side) =>
    [1, 2, 3, 4, 5].map((run) => ({
      name: `${experiment}-run${run}-${side}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from(histogram(run, experiment.length, (side === 'before' ? 80 : 40) + run)),
    })),
  );
  await page.goto('/');
  await page.getByLabel('Traces to upload').setInputFiles(files);
  await page.getByRole('searchbox').fill(experiment);
  await expect(traceLinks(page)).toHaveCount(10);
  // Ten are read one after the other, by workers that give way to pages.
  await expect(page.getByRole('cell', { name: 'ready' })).toHaveCount(10, {
    timeout: 60_000,
  });
}

test('runs before and after a change are compared in two clicks', async ({ page }) => {
  await uploadRuns(page, 'shorter');
  await page.getByRole('checkbox', { name: 'Select all traces on this page' }).click();
  await page.getByRole('button', { name: 'Compare' }).click();

  await expect(page.getByRole('heading', { level: 1 })).toContainText(
    /p99 fell from 83\sµs to 43\sµs \(−48\s%, 95\s% interval/,
  );
  const card = page.getByRole('table', { name: 'Variants' });
  await expect(card.getByRole('row')).toHaveCount(3);
  await expect(card.getByRole('row').nth(1)).toContainText(/before.*baseline.*5.*5,000/);
  await expect(card.getByRole('row').nth(2)).toContainText('−48');
  await expect(page.getByRole('img', { name: 'Distribution of all variants' })).toHaveAttribute(
    'data-rendered',
    /histogram/,
  );
  await expectNoViolations(page);

  await page.getByLabel('rows').selectOption({ label: 'source' });
  const strata = page.getByRole('table', { name: 'Strata' });
  await expect(strata.getByRole('row').nth(0)).toHaveText(/source.*before.*after/);
  await expect(strata.getByRole('row').nth(1)).toContainText(/cyclictest thread 0.*5,000 samples.*5,000/);

  // The address is the whole state of the page.
  await page.getByRole('button', { name: 'percentiles' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'percentiles' })).toHaveAttribute('aria-pressed', 'true');
  await expect(card.getByRole('row').nth(2)).toContainText('after');
  await expect(strata.getByRole('row')).toHaveCount(2);

  await card.getByRole('row').nth(1).getByTitle('Open the worst case of this variant').click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('measured 85 µs');
});

test('an experiment is saved as a page that stands alone, as text and as pictures', async ({ page }) => {
  await uploadRuns(page, 'exported');
  await page.getByRole('checkbox', { name: 'Select all traces on this page' }).click();
  await page.getByRole('button', { name: 'Compare' }).click();
  const sentence = /p99 fell from 83\sµs to 43\sµs/;
  await expect(page.getByRole('heading', { level: 1 })).toContainText(sentence);
  await page.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export this experiment' });
  await expect(dialog).toContainText(sentence);
  // A line of a table is one line.
  await expect(dialog.getByRole('group', { name: 'Report' })).toHaveCSS('white-space', 'pre');
  await expectNoViolations(page);
  for (const [button, beginning, content] of [
    ['Save the text', 'p99 fell', /Differences from before:/],
    ['Save as HTML', '<!doctype html>', sentence],
    ['Save the percentiles as SVG', '<svg', />before</],
    ['Save the percentiles as PNG', '\u{fffd}PNG', /IEND/],
    ['Save as JSON', '{', sentence],
  ] as const) {
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: button }).click(); // oxlint-disable-line no-await-in-loop -- one file after the other
    // oxlint-disable-next-line no-await-in-loop -- one file after the other
    const saved = await readFile(await (await saving).path(), 'utf8');
    expect(saved.slice(0, beginning.length)).toBe(beginning);
    expect(saved).toMatch(content);
  }
});

test('variants are parted anew, renamed, reordered and left out', async ({ page }) => {
  await uploadRuns(page, 'parted');
  await page.getByRole('checkbox', { name: 'Select all traces on this page' }).click();
  await page.getByRole('button', { name: 'Compare' }).click();
  const card = page.getByRole('table', { name: 'Variants' });
  await expect(card.getByRole('row')).toHaveCount(3);
  // Their traces are side by side.
  const lists = page.getByRole('list', { name: /^Traces of/ });
  await expect(lists).toHaveCount(2);
  const tops = await lists.evaluateAll((all) => all.map((list) => list.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);

  await card.getByRole('button', { name: 'Make baseline: after' }).click();
  await expect(card.getByRole('row').nth(1)).toContainText(/after.*baseline/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('p99 rose from 43 µs to 83 µs');
  await page.goBack();
  await expect(card.getByRole('row').nth(1)).toContainText(/before.*baseline/);

  await page.getByLabel('Name of variant 2').fill('with the patch');
  await page.keyboard.press('Enter');
  await expect(card.getByRole('row').nth(2)).toContainText('with the patch');

  await page.getByLabel('split by').selectOption({ label: 'each trace' });
  await expect(card.getByRole('row')).toHaveCount(11);
  await page.getByRole('button', { name: 'Leave out parted-run1-after', exact: true }).click();
  await expect(card.getByRole('row')).toHaveCount(10);
});

/** 2,500 different values, which are more than a sum keeps. */
function sleeps(fromNs: number): string {
  const lines = Array.from({ length: 2_500 }, (_, at) => {
    const late = fromNs + 37 * ((at * 7) % 2_500);
    return `${at}\t${45_000_000_000 + at * 1_000_000 + late}\t${late}`;
  });
  const head = '# jitter cpu=1 period_ns=1000000 n=2500 prio=0 mode=absolute';
  return `${head}\n#i\twake_ns(CLOCK_MONOTONIC)\tlate_ns\n${lines.join('\n')}\n`;
}

test('rounded quantiles are read from the samples in one click', async ({ page, baseURL }) => {
  for (const [side, from] of [
    ['before', 60_000],
    ['after', 40_000],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- the first is the baseline
    await uploadText(baseURL ?? '', `rounded-${side}.samples.tsv`, sleeps(from));
  }
  await page.goto('/?q=rounded-');
  await expect(traceLinks(page)).toHaveCount(2);
  await page.getByRole('checkbox', { name: 'Select all traces on this page' }).click();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  const card = page.getByRole('table', { name: 'Variants' });
  // The 1,250th of the first side, and of the second.
  const medians = [card.getByTitle(/^106,213/), card.getByTitle(/^86,213/)] as const;
  await expect(page.getByText('within a 512th of their values')).toBeVisible();
  await expect(medians[0]).toHaveCount(0);
  await page.getByRole('button', { name: 'Read them exactly' }).click();
  await expect(page.getByText('The quantiles are exact')).toBeVisible();
  await expect(medians[0]).toBeVisible();
  await expect(medians[1]).toBeVisible();
});

test('without traces the page says where to begin', async ({ page }) => {
  await page.goto('/compare');
  await expect(page.getByRole('heading', { name: 'No traces selected' })).toBeVisible();
  const example = page.getByRole('img', { name: 'A comparison' });
  await expect(example).toBeInViewport();
  await expect.poll(() => example.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1440);
  await page.getByRole('link', { name: 'Select traces' }).click();
  await expect(traceLinks(page).first()).toBeVisible();
});

test('a trace is compared with its likes in two clicks from its page', async ({ page, baseURL }) => {
  const url = baseURL ?? '';
  const label = async (id: string, load: string) => {
    await fetch(`${url}/api/v1/traces/${id}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ labels: { board: 'two-clicks', load } }),
    });
  };
  const idle = await uploadText(url, 'two-clicks-idle.txt', histogram(1, 61, 80));
  const loads = [];
  for (const run of [2, 3]) {
    loads.push(await uploadText(url, `two-clicks-load-${run}.txt`, histogram(run, 61, 90)));
  }
  await label(idle, 'none');
  await Promise.all(loads.map((id) => label(id, 'heavy')));

  await page.goto(`/t/${idle}`);
  await page.getByRole('button', { name: 'Compare with other traces…' }).click();
  const rows = page.getByRole('table', { name: 'Traces to compare with' }).getByRole('row');
  await expect(rows.nth(1)).toContainText(
    /two-clicks-load.*board=two-clicks, load=heavy.*same labels except load/,
  );
  await expectNoViolations(page);
  await rows.nth(1).getByRole('link').click();
  const card = page.getByRole('table', { name: 'Variants' });
  await expect(card.getByRole('row')).toHaveCount(3);
  await expect(card.getByRole('row').nth(1)).toContainText(/none.*baseline/);

  await page.goBack();
  await page.keyboard.press('n');
  await page.getByRole('link', { name: 'All by load: none, heavy' }).click();
  await expect(card.getByRole('row').nth(2)).toContainText(/heavy.*2.*2,000/);
});

/** A task that runs on CPU 1 of two for a tenth of a second, and is interrupted so often, for 10 µs each time. */
function interrupted(run: number, often: number): string {
  const stamp = (us: number) => `1.${us.toString().padStart(6, '0')}`;
  const who = 'rt-7 [001] d.h1.';
  const interrupts = Array.from({ length: often }, (_, at) => {
    const start = (at + 1) * 900 + run;
    return [
      `${who} ${stamp(start)}: local_timer_entry: vector=236`,
      `${who} ${stamp(start + 10)}: local_timer_exit: vector=236`,
    ];
  });
  const task = (name: string, pid: number) => `${name} prev_pid=${pid} prev_prio=120`;
  return [
    '# tracer: nop',
    '#',
    `<idle>-0 [000] d..2. ${stamp(1)}: sched_waking: comm=other pid=9 prio=120 target_cpu=000`,
    `<idle>-0 [001] d..2. ${stamp(2)}: sched_waking: comm=rt pid=7 prio=120 target_cpu=001`,
    `<idle>-0 [001] d..2. ${stamp(5 + run)}: sched_switch: prev_comm=${task('swapper/1', 0)} prev_state=R ==> next_comm=rt next_pid=7 next_prio=120`,
    ...interrupts.flat(),
    `rt-7 [001] d..2. ${stamp(100_000)}: sched_switch: prev_comm=${task('rt', 7)} prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120`,
    '',
  ].join('\n');
}

test('what took isolated CPUs is told apart once labels say which these are', async ({ page, baseURL }) => {
  const url = baseURL ?? '';
  for (const run of [1, 2, 3, 4, 5]) {
    await uploadText(url, `classes-run${run}-before.txt`, interrupted(run, 90 + run));
    await uploadText(url, `classes-run${run}-after.txt`, interrupted(run, 3));
  }
  await page.goto('/?v=1&q=classes after');
  await expect(traceLinks(page)).toHaveCount(5);
  await page.getByRole('checkbox', { name: 'Select all traces on this page' }).click();
  await page.getByRole('button', { name: 'Label' }).click();
  await page.keyboard.type('isolcpus=1');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Changed the labels of 5 traces.')).toBeVisible();
  await page.getByRole('searchbox').fill('classes');
  await expect(traceLinks(page)).toHaveCount(10);
  await page.getByRole('checkbox', { name: 'Select all traces on this page' }).click();
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByText('Isolated: CPU 1. Housekeeping: CPU 0.')).toBeVisible();
  const timer = page
    .getByRole('table', { name: 'By class of CPU' })
    .getByRole('row', { name: /local_timer/ });
  await expect(timer).toContainText(
    /isolated.*local_timer.*930.*30.*−\d\.\d\d.pp.*−\d\.\d\d to −\d\.\d\d.pp/,
  );
  await expectNoViolations(page);
});

test('on a phone a long choice of how to split is cut, and the page does not scroll sideways', async ({
  page,
  baseURL,
}) => {
  const names = ['first-one', 'second-one', 'third-one', 'fourth-one', 'fifth-one', 'sixth-one'];
  const ids = await Promise.all(
    names.map((name, at) =>
      uploadText(baseURL ?? '', `narrow-${name}.cyclictest`, verboseText([[7, 9, 36 + at, 8]])),
    ),
  );
  await page.setViewportSize({ width: 420, height: 900 });
  await page.goto(`/compare?variants=a=${ids.slice(0, 3).join(',')};b=${ids.slice(3).join(',')}`);
  const split = page.getByRole('combobox', { name: 'split by' });
  await expect(split).toBeVisible();
  await expect.poll(() => split.evaluate((choice) => choice.getBoundingClientRect().right)).toBeLessThan(421);
  expect(await page.getByRole('main').evaluate((main) => main.scrollWidth)).toBeLessThanOrEqual(420);
});
