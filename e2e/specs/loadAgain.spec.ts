import { gzipSync } from 'node:zlib';

import { expect, test } from '@playwright/test';

import { ports } from '../support/ports.ts';
import { recordingOf } from '../support/recording.ts';
import { Stack } from '../support/stack.ts';

const stack = new Stack(ports.reload);

// The whole product starts twice.
test.setTimeout(120_000);
test.beforeAll(() => stack.start({ samples: false, settings: { JITTERSCOPE_MAX_EXPANDED_BYTES: '100' } }));
test.afterAll(() => stack.remove());

test('a trace that failed at a limit is loaded again once the limit is raised', async ({ page }) => {
  await page.goto(stack.url);
  await page.getByLabel('Traces to upload').setInputFiles({
    name: 'large.txt.gz',
    mimeType: 'application/gzip',
    buffer: gzipSync(recordingOf('large')),
  });
  await page.getByRole('region', { name: 'Uploads' }).getByRole('link', { name: 'large.txt.gz' }).click();
  await expect(page.locator('article[data-status=failed]')).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('expanded_too_large');

  await stack.stop();
  await stack.start({ samples: false });
  await page.reload();
  await page.getByRole('button', { name: 'Load again' }).click();
  await expect(page.locator('article[data-status=ready]')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('large');
  await expect(page.getByRole('button', { name: 'Load again' })).toHaveCount(0);
});
