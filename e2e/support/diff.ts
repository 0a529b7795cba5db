import { expect, type Locator, type Page } from '@playwright/test';

import { uploadSample } from './trace.ts';

export const root = 'smp_apic_timer_interrupt';
export const summary =
  '+10.06 µs: 8.37 µs in calls missing from the normal run (ktime_get, hrtimer_forward, ' +
  'hrtimer_start_range_ns under enqueue_task_rt), 1.69 µs in slower calls.';

interface Functions {
  readonly items: readonly [{ readonly slowest: { readonly id: string } }];
}

/** The slowest call of a function in a sample, in the form used in links to comparisons. */
export async function slowestCall(page: Page, baseURL: string | undefined, file: string, name: string) {
  return slowestCallOf(page, await uploadSample(baseURL ?? '', file), name);
}

/** The slowest call of a function in a trace, in the form used in links to comparisons. */
export async function slowestCallOf(page: Page, trace: string, name: string) {
  const answer = await page.request.get(`/api/v1/traces/${trace}/functions?q=${name}&sort=-max&limit=1`);
  const { items } = (await answer.json()) as Functions;
  const { id } = items[0].slowest;
  return { trace, id, ref: `${trace}/${id}` };
}

/** Compares the two timer interrupts of the samples, one of which started another timer. */
export async function openWorkedPair(page: Page, baseURL: string | undefined): Promise<void> {
  const abnormal = await slowestCall(page, baseURL, 'timer-interrupt-abnormal-annotated.txt', root);
  const normal = await slowestCall(page, baseURL, 'timer-interrupt-normal.txt', root);
  await page.goto(`/diff?abnormal=${abnormal.ref}&normal=${normal.ref}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(summary);
}

export const tree = (page: Page): Locator => page.getByRole('treegrid', { name: 'Calls of both sides' });

/** Abnormal, normal, delta and self delta of a row. */
export async function numbersOf(row: Locator): Promise<string[]> {
  return row.getByRole('gridcell').allInnerTexts();
}

interface Cases {
  readonly items: readonly [{ readonly id: string }];
}

/** The worst case of a kind in a sample, and the address of its page. */
export async function worstCase(page: Page, baseURL: string | undefined, file: string, kind: string) {
  return worstCaseOf(page, await uploadSample(baseURL ?? '', file), kind);
}

/** The worst case of a kind in a trace, and the address of its page. */
export async function worstCaseOf(page: Page, trace: string, kind: string) {
  const answer = await page.request.get(`/api/v1/traces/${trace}/latencies?kind=${kind}&limit=1`);
  const { items } = (await answer.json()) as Cases;
  const { id } = items[0];
  return { trace, id, path: `/t/${trace}/cases/${id}` };
}
