import { expect, test } from '@playwright/test';

import { lanes } from '../support/lanes.ts';
import { uploadSample } from '../support/trace.ts';

const load = 'cyclictest-load-6.12-rt.txt.zst';

test('the details are as wide for a slice as for a range, so that the lanes keep their scale', async ({
  page,
  baseURL,
}) => {
  await page.goto(`/t/${await uploadSample(baseURL ?? '', load)}/timeline?area=1000000-2000000`);
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details).toContainText('Selected range');
  const ofRange = await details.boundingBox();
  await lanes(page);
  await page.keyboard.press('ArrowRight');
  await expect(details).not.toContainText('Selected range');
  expect(await details.boundingBox()).toEqual(ofRange);
});

test('on a tablet the details lie below the lanes and the events, and cover neither', async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.goto(`/t/${await uploadSample(baseURL ?? '', load)}/timeline?area=1000000-2000000`);
  const details = await page.getByRole('complementary', { name: 'Details' }).boundingBox();
  const events = await page.getByRole('region', { name: 'Events', exact: true }).boundingBox();
  if (details === null || events === null) throw new Error('the timeline has no details or no events');
  expect(details.y).toBeGreaterThanOrEqual(events.y + events.height);
  expect(details.width).toBe(768);
});
