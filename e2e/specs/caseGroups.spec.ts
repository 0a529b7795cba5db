import { expect, test } from '@playwright/test';

import { expectNoViolations } from '../support/accessibility.ts';
import { traceLinks } from '../support/catalog.ts';
import { uploadText } from '../support/trace.ts';

/** Ten wakeups of a task; before each, an interrupt takes 40 µs in some runs. */
function wakeups(run: number, isDisturbed: boolean): string {
  const stamp = (us: number) => `1.${us.toString().padStart(6, '0')}`;
  const idle = 'prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R';
  const lines = Array.from({ length: 10 }, (_, at) => {
    const start = 1_000 + at * 1_000 + run;
    const end = start + (isDisturbed ? 50 : 10) + (at % 3);
    return [
      `<idle>-0 [001] d..2. ${stamp(start)}: sched_waking: comm=rt pid=7 prio=9 target_cpu=001`,
      ...(isDisturbed
        ? [
            `<idle>-0 [001] d.h1. ${stamp(start + 2)}: irq_handler_entry: irq=29 name=eth0`,
            `<idle>-0 [001] d.h1. ${stamp(start + 42)}: irq_handler_exit: irq=29 ret=handled`,
          ]
        : []),
      `<idle>-0 [001] d..2. ${stamp(end)}: sched_switch: ${idle} ==> next_comm=rt next_pid=7 next_prio=9`,
      `rt-7 [001] d..2. ${stamp(end + 20)}: sched_switch: prev_comm=rt prev_pid=7 prev_prio=9 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120`,
    ];
  });
  return ['# tracer: nop', '#', ...lines.flat(), ''].join('\n');
}

test('the cases of one variant are compared with those of the other, in three clicks', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? '';
  for (const run of [1, 2, 3]) {
    // oxlint-disable-next-line no-await-in-loop -- in this order in the catalog
    await uploadText(url, `groups-run${run}-before.txt`, wakeups(run, false));
    // oxlint-disable-next-line no-await-in-loop -- in this order in the catalog
    await uploadText(url, `groups-run${run}-after.txt`, wakeups(run, true));
  }
  await page.goto('/?v=1&q=groups');
  await expect(traceLinks(page)).toHaveCount(6);
  await page.getByRole('checkbox', { name: 'Select all traces on this page' }).click();
  await page.getByRole('button', { name: 'Compare' }).click();
  const groups = page.getByRole('region', { name: 'Cases against cases' });
  await expect(groups).toBeVisible();
  await expectNoViolations(page);
  await groups.getByRole('link', { name: 'after against before: all cases' }).click();

  await expect(page).toHaveURL(/\/diff\?.*cases(%3A|%253A|:)wakeup/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(
    'interrupts took 40.00 µs more: eth0 [29]',
  );
});
