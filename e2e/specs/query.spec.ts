import { expect, test, type Page } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { openTrace } from '../support/catalog.ts';

const LOADED = 'cyclictest under load, PREEMPT_RT';
const GRAPH = 'Timer interrupt, function_graph';

/** The query page for a trace, from its own page. */
async function openQuery(page: Page, name: string): Promise<void> {
  await openTrace(page, name);
  await page.getByRole('region', { name: 'Worst cases' }).getByRole('link', { name: 'As SQL' }).click();
  await expect(result(page).getByRole('row').nth(1)).toBeVisible();
}

const editor = (page: Page) => page.getByRole('textbox', { name: 'SQL statement' });
const result = (page: Page) => page.getByRole('table', { name: 'Result' });

test('a statement is written, run, drawn, saved and sent as a link', async ({ page }) => {
  await openQuery(page, LOADED);
  await editor(page).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(
    "SELECT kind, count, max_ns\nFROM latency_total\nWHERE trace = ANY ($1) AND kind IN ('irq', 'wakeup') ORDER BY kind",
  );
  await page.keyboard.press('Control+Enter');
  await expect(result(page).getByRole('row')).toHaveText([
    'kindcountmax_ns',
    'irq3,0224,018,000',
    'wakeup4,89613,486,000',
  ]);

  await page.getByRole('button', { name: 'bars' }).click();
  await expect(page.getByRole('img', { name: /^max_ns against kind/ })).toHaveAttribute(
    'data-rendered',
    'bars',
  );
  await page.getByRole('slider', { name: 'Row' }).press('End');
  await expect(page.getByTestId('query-hover')).toHaveText(/kind wakeup.*max_ns 13.486.ms.*count 4,896/);
  await expectNoViolations(page);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the rows as CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('query.csv');

  // The address is the whole state of the page.
  await page.reload();
  await expect(result(page).getByRole('row')).toHaveCount(3);
  await expect(editor(page)).toContainText('latency_total');
  await expect(page.getByRole('button', { name: 'bars' })).toHaveAttribute('aria-pressed', 'true');
});

test('the page shows what can be asked, and a click asks it', async ({ page }) => {
  await page.goto('/query');
  const examples = page.getByRole('list', { name: 'Examples' });
  await expect(examples.getByRole('button').first()).toContainText('ORDER BY duration_ns DESC');
  // What $1 will be is seen before anything is asked.
  await expect(page.getByRole('button', { name: /^\$1 = (?!no trace)/ })).toBeVisible();
  await expectNoViolations(page);
  await examples.getByRole('button', { name: 'Worst wakeup of every trace' }).click();
  await expect(result(page).getByRole('row').nth(1)).toBeVisible();
  await expect(editor(page)).toContainText('FROM recording AS r');
  await expect(examples).toBeHidden();
  await page.goBack();
  await expect(examples).toBeVisible();
});

for (const { width, rowsAcross } of [
  { width: 1440, rowsAcross: 'wrapped' },
  { width: 768, rowsAcross: 'over the whole page' },
]) {
  test(`rows with sentences at ${width} pixels are ${rowsAcross}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/query');
    await page.getByRole('list', { name: 'Examples' }).getByRole('button').first().click();
    await expect(result(page).getByRole('row').nth(1)).toBeVisible();
    const rows = await page.getByRole('region', { name: 'Rows' }).boundingBox();
    const table = await result(page).boundingBox();
    if (!rows || !table) throw new Error('there are no rows');
    if (width >= 1440) expect(table.width).toBeLessThanOrEqual(rows.width);
    else expect(rows.width).toBeGreaterThan(width - 40);
  });
}

test('the trace of $1 is named, and any other is found', async ({ page }) => {
  await openQuery(page, LOADED);
  await page.getByRole('button', { name: `$1 = ${LOADED}` }).click();
  await page.getByRole('combobox', { name: 'Search traces' }).fill('function_graph');
  await page.getByRole('option', { name: GRAPH }).click();
  await expect(page.getByRole('button', { name: `$1 = ${GRAPH}` })).toBeVisible();
});

test('what is typed over a selection is completed with columns, and run from anywhere', async ({ page }) => {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text());
  });
  await openQuery(page, LOADED);
  await editor(page).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('SELECT dur');
  await expect(page.getByRole('listbox', { name: 'Completions' }).getByRole('option').first()).toContainText(
    'duration_ns',
  );
  await page.keyboard.press('Control+a');
  await page.keyboard.type('SELECT 42 AS answer');
  expect(refused).toEqual([]);

  await page.getByRole('link', { name: 'Traces', exact: true }).focus();
  await page.keyboard.press('Control+Enter');
  await expect(result(page).getByRole('row')).toHaveText(['answer', '42']);
  expect(page.context().pages()).toHaveLength(1);
});

test('an error is said and underlined', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Query', exact: true }).click();
  await editor(page).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('SELECT 1 FROM nowhere');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Relation "nowhere" does not exist');
  await expect(page.locator('.fault')).toHaveText('nowhere');
  await expectNoViolations(page);
});

test('names go from the list of views into the statement, and keys of the page do not', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Query', exact: true }).click();
  await editor(page).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('SELECT h0y? FROM ');
  await page
    .getByRole('navigation', { name: 'Views' })
    .locator('summary', { hasText: /^worst_case$/ })
    .click();
  await page.getByRole('button', { name: 'worst_case view' }).click();
  await expect(editor(page)).toContainText('SELECT h0y? FROM worst_case');
  await expect(page).toHaveURL(/\/query$/);
});

test('every example runs on the samples', async ({ page }) => {
  for (const trace of [LOADED, GRAPH]) {
    await openQuery(page, trace);
    const examples = page.getByLabel('example');
    const titles = (await examples.getByRole('option').allInnerTexts()).slice(1);
    expect(titles.length).toBeGreaterThan(5);
    for (const title of titles.filter((one) => one.startsWith('Functions') === (trace === GRAPH))) {
      await examples.selectOption({ label: title });
      await expect(editor(page)).not.toContainText('rank = 0');
      await expect(
        page.getByRole('region', { name: 'Result' }).locator('[data-rendered]'),
        title,
      ).toBeVisible();
      await expect(result(page).getByRole('row').nth(1), title).toBeVisible();
    }
  }
});

test('suggestions make way for the answer', async ({ page }) => {
  await page.goto('/query');
  const suggestions = page.locator('.cm-tooltip-autocomplete');
  for (const run of [
    () => page.keyboard.press('Control+Enter'),
    () => page.getByRole('button', { name: 'Run', exact: true }).click(),
  ]) {
    await editor(page).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('SELECT nowhere FROM even');
    await expect(suggestions).toBeVisible();
    // The list for the last letter is still being looked for.
    await page.keyboard.type('t');
    await run();
    await expect(page.getByRole('alert')).toContainText('Column "nowhere" does not exist');
    await expect(suggestions).toHaveCount(0);
  }
});
