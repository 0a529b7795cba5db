import { expect, test } from '@playwright/test';

import { lanes, pointIn } from '../support/lanes.ts';
import { uploadText } from '../support/trace.ts';

const at = (task: string, micros: number, event: string) =>
  `${task.padStart(16)}       [000] d..2.   100.${String(micros).padStart(6, '0')}: ${event}\n`;
const change = (prev: string, prio: number, state: string, next: string, nextPrio: number) => {
  const [, prevComm, prevPid] = /^(.*)-(\d+)$/.exec(prev) ?? [];
  const [, comm, pid] = /^(.*)-(\d+)$/.exec(next) ?? [];
  return `sched_switch: prev_comm=${prevComm} prev_pid=${prevPid} prev_prio=${prio} prev_state=${state} ==> next_comm=${comm} next_pid=${pid} next_prio=${nextPrio}`;
};
const boost = (from: number, to: number) =>
  `sched_pi_setprio: comm=pi-owner pid=22800 oldprio=${from} newprio=${to}`;

/** A task holds a lock that another waits for, and runs with its priority from 100 to 700 µs. */
const recording = [
  '# tracer: nop\n#\n#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n#              | |         |   |||||     |         |\n',
  at('<idle>-0', 10, change('swapper/0-0', 120, 'R', 'pi-owner-22800', 89)),
  at('pi-owner-22800', 50, change('pi-owner-22800', 89, 'R+', 'pi-waiter-22700', 19)),
  at('pi-waiter-22700', 110, boost(89, 19)),
  at('pi-waiter-22700', 120, change('pi-waiter-22700', 19, 'D', 'pi-owner-22800', 19)),
  at('pi-owner-22800', 710, boost(19, 89)),
  at('pi-owner-22800', 800, change('pi-owner-22800', 89, 'S', 'swapper/0-0', 120)),
].join('');

test('a stretch in which a task was lent a priority is marked on its lane, and told on hover and of its slice', async ({
  page,
  baseURL,
}) => {
  await uploadText(baseURL ?? '', 'pi-owner.txt', recording);
  await page.goto('/');
  await page.getByRole('searchbox', { name: 'Search traces' }).fill('pi-owner');
  await page.getByRole('link', { name: 'pi-owner' }).first().click();
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await lanes(page);
  await page.getByRole('combobox', { name: 'Add the lane of a task' }).selectOption('22800');
  await expect(page.locator('[data-row="1"]')).toBeVisible();
  const mark = await pointIn(page, 0.5, 1);
  await page.mouse.move(mark.x, mark.y);
  await expect(page.getByTestId('hover')).toContainText('rt 10, boosted to rt 80');
  const slice = await pointIn(page, 0.5, 0);
  await page.mouse.click(slice.x, slice.y);
  await expect(page.getByRole('complementary', { name: 'Details' })).toContainText('rt 10, boosted to rt 80');
});
