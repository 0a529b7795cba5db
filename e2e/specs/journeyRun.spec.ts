import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test, type Page } from '@playwright/test';

import { traceLinks } from '../support/catalog.ts';
import {
  countsOf,
  histogramsText,
  jsonText,
  LIMIT_US,
  verboseText,
  type Threads,
} from '../support/cyclictestRun.ts';
import { textFile } from '../support/recording.ts';
import { deleteTrace, samples } from '../support/trace.ts';

const api = '/api/v1/traces';

interface Latency {
  readonly id: string;
  readonly t: number;
  readonly key: string | null;
  readonly duration_ns: number;
  readonly weight: number;
  readonly flags: readonly string[];
}

interface LatencyPage {
  readonly items: readonly Latency[];
  readonly next: string | null;
}

/** All latencies of a trace that the query asks for, page by page. */
async function latencies(page: Page, trace: string, query: string): Promise<readonly Latency[]> {
  const found: Latency[] = [];
  for (let cursor = ''; ;) {
    // oxlint-disable-next-line no-await-in-loop -- a page says where the next one begins
    const answer = await page.request.get(`${api}/${trace}/latencies?${query}&limit=1000${cursor}`);
    const { items, next } = (await answer.json()) as LatencyPage; // oxlint-disable-line no-await-in-loop
    found.push(...items);
    if (next === null) return found;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
}

async function drop(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  await page.getByLabel('Traces to upload').setInputFiles(file);
  await page.getByRole('searchbox').fill('two-threads');
}

/** What the two real-time threads of the sample measured: what a program reads after its system call, in whole µs. */
async function measuredBy(page: Page, trace: string): Promise<Threads> {
  const late = (cases: readonly Latency[]) =>
    cases
      .toSorted((a, b) => a.t - b.t)
      .map(({ duration_ns: duration }) => Math.floor((duration + 2_000) / 1_000));
  return [
    late(await latencies(page, trace, 'kind=cyclic&pid=371')),
    late(await latencies(page, trace, 'kind=cyclic&pid=372')),
  ];
}

test.describe.configure({ mode: 'serial' });

let trace = '';
test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage();
  await page.goto('/');
  const sample = await readFile(path.join(samples, 'cyclictest-load-6.12-rt.txt.zst'));
  // A frame that a reader skips makes it a trace of its own, which takes no ties from the sample.
  const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 5]);
  const posted = await page.request.post(`${api}?filename=two-threads.txt.zst&wait=60`, {
    data: Buffer.concat([sample, skipped]),
  });
  ({ id: trace } = (await posted.json()) as { id: string });
  await expect
    .poll(
      async () => ((await (await page.request.get(`${api}/${trace}`)).json()) as { status: string }).status,
    )
    .toBe('ready');
  await page.close();
});
test.afterAll(({ baseURL }) => deleteTrace(baseURL ?? '', trace));

for (const { name, ending, text, by } of [
  { name: '-v', ending: 'cyclictest.txt', text: verboseText, by: 'the same cycle' },
  { name: '-h', ending: 'cyclictest.txt', text: histogramsText, by: 'largest' },
  { name: '--json', ending: 'cyclictest.json', text: jsonText, by: 'largest' },
]) {
  test(`cyclictest ${name} next to its trace: equal to the digit, its maximum tied to our case, in three clicks`, async ({
    page,
    baseURL,
  }) => {
    const threads = await measuredBy(page, trace);
    await page.goto('/');
    await drop(page, textFile(`two-threads.${ending}`, text(threads)));
    await expect(traceLinks(page)).toHaveCount(2);
    await expect(page.getByRole('cell', { name: 'ready' })).toHaveCount(2);
    await traceLinks(page).filter({ hasText: 'cyclictest' }).click();
    await page.getByRole('button', { name: 'Link to two-threads' }).click();
    const file = /\/t\/(\w+)/.exec(page.url())?.[1] ?? '';

    const tied = page.getByRole('region', { name: 'Measured and traced' });
    for (const [thread, values] of threads.entries()) {
      const longest = Math.max(...values).toLocaleString('en');
      const row = tied.getByRole('row').nth(thread + 1);
      await expect(row).toContainText(`cyclictest thread ${thread}`); // oxlint-disable-line no-await-in-loop -- one row after the other
      await expect(row).toContainText(by); // oxlint-disable-line no-await-in-loop -- one row after the other
      // oxlint-disable-next-line no-await-in-loop -- one file after the other
      const run = await (await page.request.get(`${api}/${file}/run`)).json();
      expect(JSON.stringify(run)).toContain(`cyclictest says ${longest} µs on thread ${thread}`);
    }
    const measured = await latencies(page, file, 'kind=measured');
    const isHistogram = name !== '-v';
    for (const [thread, values] of threads.entries()) {
      const found = new Map<number, number>();
      for (const { key, duration_ns: duration, weight, flags } of measured) {
        const us = duration / 1_000;
        const isOverflow = isHistogram && (us >= LIMIT_US || flags.includes('at_least'));
        if (key !== `cyclictest thread ${thread}` || isOverflow) continue;
        found.set(us, (found.get(us) ?? 0) + weight);
      }
      const printed = countsOf(isHistogram ? values.filter((us) => us < LIMIT_US) : values);
      expect([...found].toSorted(([a], [b]) => a - b)).toEqual([...printed].toSorted(([a], [b]) => a - b));
    }

    await tied
      .getByRole('row')
      .nth(1)
      .getByRole('link', { name: /1\.814/ })
      .click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(
      'cyclictest-371 on CPU 0 woke 1.814 ms late',
    );
    await deleteTrace(baseURL ?? '', file);
  });
}
