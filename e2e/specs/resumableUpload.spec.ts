import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test, type Page, type Request } from '@playwright/test';

/** A recording of more than 16 MiB that no other test uploads. */
function bigRecording(second: number): string {
  const lines = ['# tracer: nop', '#'];
  for (let micros = 0; micros < 170_000; micros += 1) {
    const stamp = `${second}.${String(micros).padStart(6, '0')}`;
    lines.push(
      `              sh-7       [000] d..2. ${stamp}: sched_waking: comm=worker pid=9 prio=120 target_cpu=000`,
    );
  }
  return `${lines.join('\n')}\n`;
}

let folder = '';

test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'upload-'));
});

test.afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function bigFile(second: number): Promise<string> {
  const path = join(folder, 'big.txt');
  await writeFile(path, bigRecording(second));
  await utimes(path, second, second);
  return path;
}

const choose = (page: Page, path: string) => page.getByLabel('Traces to upload').setInputFiles(path);

const rowOf = (page: Page) => page.getByRole('region', { name: 'Uploads' }).getByRole('listitem');

/** Counts requests to resumable uploads by their methods. */
function counted(page: Page): Map<string, number> {
  const counts = new Map<string, number>();
  page.on('request', (request: Request) => {
    if (!request.url().includes('/api/v1/uploads')) return;
    counts.set(request.method(), (counts.get(request.method()) ?? 0) + 1);
  });
  return counts;
}

/** Lets no part of a file through. */
async function breakParts(page: Page): Promise<void> {
  await page.route('**/api/v1/uploads/*', async (route) => {
    if (route.request().method() === 'PATCH') await route.abort('connectionreset');
    else await route.continue();
  });
}

test('a big upload continues after the connection broke', async ({ page }) => {
  const counts = counted(page);
  await breakParts(page);
  await page.goto('/');
  await choose(page, await bigFile(1_000 + (Date.now() % 90_000)));
  await expect(rowOf(page)).toContainText('connection lost');
  await page.unrouteAll({ behavior: 'wait' });
  await expect(rowOf(page)).toHaveAttribute('data-phase', 'ready');
  expect(counts.get('POST')).toBe(1);
  await rowOf(page).getByRole('link', { name: 'big.txt' }).click();
  await expect(page.getByRole('list', { name: 'Facts' })).toContainText('170,000 events');
});

test('a big upload continues on the next visit', async ({ page }) => {
  const path = await bigFile(100_000 + (Date.now() % 90_000));
  await breakParts(page);
  await page.goto('/');
  await choose(page, path);
  await expect(rowOf(page)).toContainText('connection lost');
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();
  const counts = counted(page);
  await choose(page, path);
  await expect(rowOf(page)).toHaveAttribute('data-phase', 'ready');
  expect([counts.get('POST'), counts.get('PATCH')]).toEqual([undefined, 1]);
});

test('a cancelled big upload is forgotten', async ({ page }) => {
  await breakParts(page);
  await page.goto('/');
  await choose(page, await bigFile(200_000 + (Date.now() % 90_000)));
  await expect(rowOf(page)).toContainText('connection lost');
  const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await rowOf(page).getByRole('button', { name: 'Cancel' }).click();
  expect((await deleted).status()).toBe(204);
  await expect(rowOf(page)).toHaveCount(0);
});
