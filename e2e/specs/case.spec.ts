import { expect, test, type Page } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { uploadSample } from '../support/trace.ts';

const cyclictest = 'cyclictest-worst-case-annotated.txt';

async function openTrace(page: Page, baseURL: string | undefined, file: string): Promise<string> {
  const id = await uploadSample(baseURL ?? '', file);
  await page.goto(`/t/${id}`);
  return id;
}

test('the worst case says through which stages it went, and its link opens it anywhere', async ({
  page,
  baseURL,
  browser,
}) => {
  await openTrace(page, baseURL, cyclictest);
  const worst = page.getByRole('table', { name: 'Worst cases' });
  await worst.getByRole('link', { name: 'cyclic', exact: true }).click();
  await expect(page).toHaveURL(/\/cases\/cyclic-1213@\d+$/);
  const headline = page.getByRole('heading', { level: 1 });
  await expect(headline).toContainText('cyclictest-1213');
  await expect(headline).toContainText('woke 18.6 µs late: interrupt local_timer itself took 13 µs');
  const stages = page.getByRole('list', { name: 'Stages' });
  // What is between the words of two stages is also before their sum.
  const sum = stages.getByRole('listitem').last();
  await expect(sum).toHaveCSS('padding-left', '5px');
  await expect(stages.getByRole('button', { name: /timer handler 9\.000\s*µs/ })).toBeVisible();
  await expect(stages.getByRole('listitem').last()).toContainText('= 18.55\u202fµs');
  await expect(page.getByRole('table', { name: 'Events around the case' })).toContainText(
    'hrtimer_expire_entry',
  );

  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
  });
  const elsewhere = await context.newPage();
  await elsewhere.goto(page.url());
  await expect(elsewhere.getByRole('heading', { level: 1 })).toHaveText(await headline.innerText());
  await expect(elsewhere.getByRole('list', { name: 'Stages' })).toHaveText(await stages.innerText(), {
    useInnerText: true,
  });
  await context.close();
});

test('a stage lights its stretch on the ruler and the lanes and its events, and its link lights it again', async ({
  page,
  baseURL,
}) => {
  await openTrace(page, baseURL, cyclictest);
  await page
    .getByRole('table', { name: 'Worst cases' })
    .getByRole('link', { name: 'cyclic', exact: true })
    .click();
  const ruler = page.getByTestId('ruler-case');
  const lanes = page.getByRole('group', { name: /^Timeline around the case/ });
  await expect(lanes.locator('[data-rendered]').first()).toBeVisible();
  // One axis: what lies under a moment of the ruler is what ran then.
  const [above, below] = [await ruler.boundingBox(), await lanes.boundingBox()];
  expect(above?.x).toBeGreaterThan(below?.x ?? 0);
  const late = page.getByRole('button', {
    name: /^interrupt entry → timer handler/,
  });
  const lit = page.locator('tr[data-lit]');
  await expect(lit).toHaveCount(0);
  await late.hover();
  await expect(lit).toHaveCount(3);
  await late.click();
  await expect(page).toHaveURL(/lit=stage-2/);
  await page.mouse.move(0, 0);
  await expect(lit).toHaveCount(3);
  await page.reload();
  await expect(late).toHaveAttribute('aria-pressed', 'true');
  await expect(lit).toHaveCount(3);
  // The ruler itself leads there, too: its accent is the late part.
  await late.click();
  await page.mouse.move(0, 0);
  await late.blur();
  await expect(lit).toHaveCount(0);
  await ruler.locator('[data-late]').click();
  await expect(page).toHaveURL(/lit=link-2/);
});

test('lanes that are pointed at are not painted anew', async ({ page, baseURL }) => {
  await openTrace(page, baseURL, cyclictest);
  await page
    .getByRole('table', { name: 'Worst cases' })
    .getByRole('link', { name: 'cyclic', exact: true })
    .click();
  const chart = page.getByRole('img', { name: /^Timeline around the case/ });
  await expect(chart).toHaveAttribute('data-rendered');
  // Each painting takes the mark away and sets it again.
  await chart.evaluate((element) => {
    const observer = new MutationObserver(() => (element.ariaDescription = 'painted anew'));
    observer.observe(element, { attributeFilter: ['data-rendered'] });
  });
  const box = await chart.boundingBox();
  if (box === null) throw new Error('the lanes have no size');
  const facts = page.getByTestId('case-hover').getByText('from the start');
  for (let y = box.y + 32; !(await facts.isVisible()); y += 8) {
    // oxlint-disable-next-line no-await-in-loop -- down the rows until something is under the pointer
    await page.mouse.move(box.x + box.width / 2, y);
  }
  await expect(chart).not.toHaveAccessibleDescription('painted anew');
});

test('from the trace to a case and its place in the timeline without a mouse', async ({ page, baseURL }) => {
  const id = await openTrace(page, baseURL, cyclictest);
  const worst = page.getByRole('table', { name: 'Worst cases' });
  await expect(worst.getByRole('link').first()).toBeVisible();
  await page.keyboard.press('j');
  await expect(worst.getByRole('link').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/t/${id}/cases/`));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('x');
  await expect(page.getByRole('dialog')).toContainText('/cases/');
  await page.keyboard.press('Escape');
  await page.keyboard.press('t');
  await expect(page).toHaveURL(/\/timeline\?.*area=\d+-\d+/);
  await expect(page.getByTestId('area-length')).toBeVisible();
});

for (const [file, kind, headline, role, name, text] of [
  [
    'irqsoff-printk.txt',
    'irqsoff',
    'console_trylock_spinning ← vprintk_emit',
    'table',
    'Where the time went',
    'interrupts off',
  ],
  [
    'irq-disable-headerless.txt',
    'field',
    'interrupts were off for 10.966 ms in console_unlock ← vprintk_emit',
    'list',
    'Chain',
    'interrupts were off in console_unlock ← vprintk_emit',
  ],
] as const) {
  test(`the worst ${kind} of ${file} names who had switched interrupts off`, async ({ page, baseURL }) => {
    await openTrace(page, baseURL, file);
    const worst = page.getByRole('table', { name: 'Worst cases' });
    await worst.getByRole('link', { name: kind, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(headline);
    await expect(page.getByRole(role, { name })).toContainText(text);
  });
}

test('the distribution follows its form, its groups and the stretch in sight', async ({ page, baseURL }) => {
  await openTrace(page, baseURL, 'cyclictest-load-6.12-rt.txt.zst');
  const statistics = page.getByRole('table', { name: 'Statistics' });
  await expect(statistics.getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: 'percentiles' }).click();
  await page.getByRole('group', { name: 'by' }).getByRole('button', { name: 'CPU' }).click();
  await expect(page).toHaveURL(/form=percentiles&group=cpu/);
  await expect(statistics.getByRole('row')).toHaveCount(3);
  const whole = await statistics.innerText();
  await page.keyboard.press('w');
  await expect(page).toHaveURL(/window=\d+-\d+/);
  await expect(statistics).not.toHaveText(whole, { useInnerText: true });
  await page.reload();
  await expect(page.getByRole('button', { name: 'percentiles' })).toHaveAttribute('aria-pressed', 'true');
});

test('latencies and a case can be used by everybody', async ({ page, baseURL }) => {
  await openTrace(page, baseURL, cyclictest);
  await expect(page.getByRole('table', { name: 'Worst cases' }).getByRole('link').first()).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('table', { name: 'Worst cases' }).getByRole('link').first().click();
  await expect(page.getByRole('list', { name: 'Chain' })).toBeVisible();
  await expectNoViolations(page);
});
