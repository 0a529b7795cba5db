import { expect, test } from '@playwright/test';

import { slowestCallOf, tree } from '../support/diff.ts';
import { uploadText } from '../support/trace.ts';

const calls = 19_000;

/** A call of many different functions that take 0.2 µs each; the slow one does more at its end. */
function recording(isSlow: boolean): string {
  const lines = Array.from({ length: calls }, (_, at) => line('0.200 us', `  f${at}();`));
  const extra = isSlow ? [line('7.000 us', '  extra();')] : [];
  return [
    '# tracer: function_graph\n#\n# CPU  DURATION                  FUNCTION CALLS\n# |     |   |                     |   |   |   |\n',
    line('', 'root() {'),
    ...lines,
    ...extra,
    line(isSlow ? '9007.000 us' : '9000.000 us', '}'),
  ].join('');
}

const line = (duration: string, code: string) => ` 0)   ${duration.padStart(11)} |  ${code}\n`;

test('a tree of 19,000 rows is walked by keys, and only what is in sight is on the page', async ({
  page,
  baseURL,
}) => {
  const [slow, usual] = [recording(true), recording(false)];
  const abnormal = await slowestCallOf(page, await uploadText(baseURL ?? '', 'slow.txt', slow), 'root');
  const normal = await slowestCallOf(page, await uploadText(baseURL ?? '', 'usual.txt', usual), 'root');
  await page.goto(`/diff?abnormal=${abnormal.ref}&normal=${normal.ref}&rows=all`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('extra under root');

  const rows = tree(page).getByRole('row');
  await expect(tree(page)).toHaveAttribute('aria-rowcount', String(calls + 3));
  await rows.filter({ hasText: 'root' }).focus();
  await page.keyboard.press('End');
  const selected = tree(page).getByRole('row', { selected: true });
  await expect(selected).toContainText('extra');
  await expect(selected).toBeFocused();
  await expect(selected).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('ArrowUp');
  await expect(selected).toContainText(`f${calls - 1}`);
  await expect(selected).toBeFocused();
  expect(await rows.count()).toBeLessThan(120);

  // The keys continue from it even while it is scrolled out of view.
  await tree(page).evaluate((element) => element.scrollTo({ top: 0 }));
  await expect(rows.filter({ hasText: 'f3' }).first()).toBeVisible();
  await page.keyboard.press('ArrowUp');
  await expect(selected).toContainText(`f${calls - 2}`);
  await expect(selected).toBeInViewport({ ratio: 1 });
});
