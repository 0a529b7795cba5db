import { expect, test } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { expectNoViolations } from '../support/accessibility.ts';
import { traceLinks } from '../support/catalog.ts';

const TRACE = path.resolve(import.meta.dirname, '../../sample_traces/cyclictest-break-6.12-rt.txt');

/** What cyclictest printed in the run of that trace: it broke off past 22 µs. */
const SUMMARY = [
  'policy: fifo: loadavg: 1.05 0.30 0.10 3/71 916',
  '',
  'T: 0 (  913) P:80 I:1000 C:     10 Min:     20 Act:   20 Avg:   20 Max:      20',
  '# Thread Ids: 00913',
  '# Break thread: 913',
  '# Break value: 25',
  '',
].join('\n');

const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'text/plain', buffer });

test('what cyclictest printed is tied to the trace of its run by clicking', async ({ page }) => {
  const trace = await readFile(TRACE);
  await page.goto('/');
  await page.getByLabel('Traces to upload').setInputFiles([
    // Other bytes than those of the sample, so that it is a trace of its own.
    file('broken-17.txt', Buffer.concat([trace, Buffer.from('\n')])),
    file('broken-17.cyclictest.txt', Buffer.from(SUMMARY)),
  ]);
  await page.getByRole('searchbox').fill('broken-17');
  await expect(traceLinks(page)).toHaveCount(2);
  await expect(page.getByRole('cell', { name: 'ready' })).toHaveCount(2);

  await page.getByRole('link', { name: 'broken-17.cyclictest', exact: true }).click();
  await page.getByRole('button', { name: 'Link to broken-17' }).click();
  const tied = page.getByRole('region', { name: 'Measured and traced' });
  await expect(tied.getByRole('row').nth(1)).toContainText(
    /cyclictest thread 0.*25\.00\sµs.*23\.09\sµs.*\+1\.9\d*\sµs.*which ended the run/,
  );
  // Only what such a file has.
  await expect(page.getByRole('region', { name: /distribution/ })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Facts' })).toHaveText(/measurements.*cyclictest/);
  for (const absent of [/over time/, /tail/, 'Events', 'Not recorded', 'Running tasks']) {
    await expect(page.getByRole('region', { name: absent })).toHaveCount(0); // oxlint-disable-line no-await-in-loop -- one after the other is clear enough
  }
  await expect(page.getByRole('navigation', { name: 'Views of this trace' }).getByRole('link')).toHaveText([
    'Overview',
  ]);
  await expectNoViolations(page);

  await tied.getByRole('link', { name: 'broken-17', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('broken-17');
  await expect(tied).toContainText('measured in this run: broken-17.cyclictest');
  await tied.getByRole('link', { name: /23\.09/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('cyclictest-913');

  await page.goto('/');
  await page.getByRole('searchbox').fill('broken-17');
  await expect(traceLinks(page)).toHaveCount(2);
  await page.getByRole('checkbox', { name: 'Select all traces on this page' }).click();
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(tied.getByRole('row').nth(1)).toContainText(/cyclictest thread 0.*25\.00\sµs.*23\.09\sµs/);
});
