import { expect, test } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { traceLinks } from '../support/catalog.ts';
import { uploadSample, uploadText } from '../support/trace.ts';

/** `job-7` waits as a real-time task on CPU 0, `job-8` and `sh-9` as fair ones, each a hundred times. */
function waits(run: number, realTimeUs: number, fairUs: number): string {
  const tasks = [
    { pid: 7, prio: 19, comm: 'job', waitUs: realTimeUs },
    { pid: 8, prio: 120, comm: 'job', waitUs: fairUs },
    { pid: 9, prio: 120, comm: 'sh', waitUs: fairUs },
  ];
  const stamp = (us: number) => `1.${us.toString().padStart(6, '0')}`;
  const lines = Array.from({ length: 100 }, (_, at) =>
    tasks.map(({ pid, prio, comm, waitUs }, place) => {
      const wokenUs = (at * 3 + place) * 1000;
      const switched = `${stamp(wokenUs + waitUs + (at % 5) + run)}: sched_switch:`;
      return [
        `<idle>-0 [000] d..2. ${stamp(wokenUs)}: sched_waking: comm=${comm} pid=${pid} prio=${prio} target_cpu=000`,
        `<idle>-0 [000] d..2. ${switched} prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=${comm} next_pid=${pid} next_prio=${prio}`,
        `${comm}-${pid} [000] d..2. ${switched} prev_comm=${comm} prev_pid=${pid} prev_prio=${prio} prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120`,
      ];
    }),
  );
  return ['# tracer: nop', '#', ...lines.flat(2), ''].join('\n');
}

test('runs are compared by the tasks of one class, and of one name', async ({ page, baseURL }) => {
  for (const run of [1, 2, 3, 4, 5]) {
    await uploadText(baseURL ?? '', `tasks-run${run}-before.txt`, waits(run, 80, 300));
    await uploadText(baseURL ?? '', `tasks-run${run}-after.txt`, waits(run, 40, 300));
  }
  await page.goto('/?v=1&q=tasks-run');
  await expect(traceLinks(page)).toHaveCount(10);
  await page.getByRole('checkbox', { name: 'Select all traces on this page' }).click();
  await page.getByRole('button', { name: 'Compare' }).click();
  const card = page.getByRole('table', { name: 'Variants' });
  await expect(card.getByRole('row').nth(1)).toContainText('1,500');

  await page.getByRole('button', { name: 'real-time' }).click();
  await expect(card.getByRole('row').nth(1)).toContainText('500');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/fell from 8\d\sµs to 4\d\sµs/);
  await expect(page.getByText('Only real-time tasks.')).toBeVisible();
  await expectNoViolations(page);

  await page.getByRole('button', { name: 'fair' }).click();
  await page.getByRole('combobox', { name: 'task', exact: true }).selectOption('sh');
  await expect(page.getByText('Only fair tasks named sh.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('No difference');
  await expect(page).toHaveURL(/comm=sh.*priority=fair/);
  await page.reload();
  await expect(page.getByRole('button', { name: 'fair' })).toHaveAttribute('aria-pressed', 'true');
  await expect(card.getByRole('row').nth(1)).toContainText('500');
  await page.getByRole('button', { name: 'all', exact: true }).click();
  await expect(page.getByText('Only tasks named sh.')).toBeVisible();

  // The trend of these runs keeps to the same tasks.
  await page.getByRole('button', { name: 'real-time' }).click();
  await page.getByRole('link', { name: 'Trend', exact: true }).click();
  await expect(page.getByText('Only real-time tasks.')).toBeVisible();
  const chart = page.getByRole('img', { name: /^p99 of 10 runs/ });
  await expect(chart).toHaveAttribute('data-rendered', /wakeup p99_ns/);
  // So do a baseline of them, which says it before it is saved, and the check against it.
  await page.getByRole('button', { name: 'Save as baseline' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Only real-time tasks. Checks against it have to keep to the same.');
  await expectNoViolations(page);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Real-time tasks alone');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const check = page.getByRole('region', { name: 'Check' });
  await expect(check).toContainText('"where":{"priority_class":"real_time"}');
  await page.getByRole('button', { name: 'max', exact: true }).click();
  await expect(check).toContainText('The number keeps to the limit.');
  await page.getByRole('button', { name: 'all', exact: true }).click();
  await expect(check).toContainText('it keeps to priority_class=real_time, and the check does not');
  await expect(page.getByText('It holds real-time tasks.')).toBeVisible();
  await page.getByRole('button', { name: 'Show those' }).click();
  await expect(page.getByRole('button', { name: 'real-time' })).toHaveAttribute('aria-pressed', 'true');
  await expect(check).toContainText('The number keeps to the limit.');
  await page.getByRole('button', { name: 'Delete baseline' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(check).toBeHidden();
});

test('a comparison opens with the tasks that its traces measure, and all are one click away', async ({
  page,
  baseURL,
}) => {
  const trace = await uploadSample(baseURL ?? '', 'cyclictest-load-6.12-rt.txt.zst');
  await page.goto(`/compare?variants=loaded=${trace}`);
  await expect(page.getByText('Only real-time tasks. These are what the traces measure.')).toBeVisible();
  const classes = page.getByRole('group', { name: 'class' });
  await expect(classes.getByRole('button', { name: 'real-time' })).toHaveAttribute('aria-pressed', 'true');
  await classes.getByRole('button', { name: 'all' }).click();
  await expect(page).toHaveURL(/priority=any/);
  await page.reload();
  await expect(classes.getByRole('button', { name: 'all' })).toHaveAttribute('aria-pressed', 'true');
  await page.goto(`/trend?traces=${trace}`);
  await expect(classes.getByRole('button', { name: 'real-time' })).toHaveAttribute('aria-pressed', 'true');

  // On a phone nothing lies beside the screen.
  await page.setViewportSize({ width: 420, height: 900 });
  await expect(classes.getByRole('button', { name: 'fair' })).toBeInViewport({ ratio: 1 });

  // Links that were made before said nothing of classes, and meant all.
  await page.goto(`/compare?v=1&variants=loaded=${trace}`);
  await expect(classes.getByRole('button', { name: 'all' })).toHaveAttribute('aria-pressed', 'true');
});
