import { expect, test } from '@playwright/test';

import { expectRoomForFingers } from '../support/accessibility.ts';
import { worstCase } from '../support/diff.ts';
import { uploadSample } from '../support/trace.ts';

const load = 'cyclictest-load-6.12-rt.txt.zst';

for (const width of [420, 768]) {
  test.describe(`${width} pixels wide`, () => {
    test.use({ hasTouch: true, viewport: { width, height: 900 } });

    test('a finger hits what it aims at on a case, its comparison and its timeline', async ({
      page,
      baseURL,
    }) => {
      const { trace, id, path } = await worstCase(page, baseURL ?? '', load, 'cyclic');
      for (const address of [
        path,
        `/diff?abnormal=${trace}/${id}`,
        `/t/${trace}/timeline?case=${id}&area=1040000000-1046000000`,
      ]) {
        await page.goto(address);
        await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
        await expectRoomForFingers(page);
      }
    });

    test('nobody is asked to drop files who has no pointer', async ({ page }) => {
      await page.goto('/');
      await expect(page.getByRole('button', { name: 'Upload traces' })).toBeVisible();
      await expect(page.getByText('or drop them anywhere here')).toBeHidden();
    });

    test('no key is named where there is no keyboard', async ({ page, baseURL }) => {
      await page.goto(`/t/${await uploadSample(baseURL ?? '', load)}`);
      await page.getByRole('table', { name: 'Worst cases' }).getByRole('link').first().click();
      const compare = page.getByRole('link', { name: 'Compare with normal' });
      await compare.click();
      const swap = page.getByRole('button', { name: 'Swap' });
      await expect(swap).toBeVisible();
      expect((await swap.innerText()).trim()).toBe('Swap');
      await page.goto('/trend');
      await expect(page.getByText('with the boxes at their left')).toBeVisible();
      await expect(page.getByText('or with')).toBeHidden();
    });
  });
}
