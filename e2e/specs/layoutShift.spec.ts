import { expect, test, type Page } from '@playwright/test';

import { verboseText } from '../support/cyclictestRun.ts';
import { slowestCall, worstCase, worstCaseOf } from '../support/diff.ts';
import { deliverOneByOne, expectSettled, layoutShift, watchLayout } from '../support/layoutShift.ts';
import { uploadSample, uploadText } from '../support/trace.ts';

// A tenth is what the web counts as good. Somebody who aims at a row must hit that row.
const mostShift = 0.02;

const load = 'cyclictest-load-6.12-rt.txt.zst';
const root = 'smp_apic_timer_interrupt';

type Address = (page: Page, baseURL: string) => Promise<string>;

interface LookedAt {
  readonly name: string;
  readonly address: Address;
  /** Where less moves than is tolerated elsewhere. */
  readonly most?: number;
  /** Pixels; as the other specs where it is absent. */
  readonly width?: number;
}

const compared: Address = async (_, url) => {
  const before = await uploadSample(url, load);
  const after = await uploadSample(url, 'cyclictest-6.12-rt.dat');
  return `/compare?variants=before=${before};after=${after}`;
};

const pages: readonly LookedAt[] = [
  { name: 'the traces', address: () => Promise.resolve('/') },
  {
    name: 'a trace of events',
    address: async (_, url) => `/t/${await uploadSample(url, load)}`,
  },
  {
    name: 'a trace of calls',
    address: async (_, url) => `/t/${await uploadSample(url, 'timer-interrupt-6.12.txt.zst')}`,
  },
  {
    name: 'a trace of few samples',
    address: async (_, url) => `/t/${await uploadSample(url, 'osnoise-6.12.txt')}`,
  },
  {
    name: 'a trace in which nothing took time',
    address: async (_, url) => `/t/${await uploadSample(url, 'wakeup_rt-6.12-rt.txt')}`,
  },
  {
    name: 'the timeline',
    address: async (_, url) => `/t/${await uploadSample(url, load)}/timeline`,
    most: 0.008,
  },
  {
    name: 'the calls over time',
    address: async (_, url) => `/t/${await uploadSample(url, 'timer-interrupt-6.12.txt.zst')}/calls`,
  },
  {
    name: 'the merged calls',
    address: async (_, url) =>
      `/t/${await uploadSample(url, 'timer-interrupt-6.12.txt.zst')}/calls?show=graph`,
  },
  {
    name: 'a case',
    address: async (page, url) => (await worstCase(page, url, load, 'cyclic')).path,
  },
  {
    name: 'a case of a call',
    address: async (page, url) => (await worstCase(page, url, 'timer-interrupt-6.12.txt.zst', 'call')).path,
  },
  {
    name: 'a measured case on a phone',
    address: async (page, url) => {
      const measured = await uploadText(url, 'phone.cyclictest', verboseText([[7, 9, 36, 8]]));
      return (await worstCaseOf(page, measured, 'measured')).path;
    },
    width: 420,
  },
  {
    name: 'a trace of few events on a phone',
    address: async (_, url) => `/t/${await uploadSample(url, 'irq-disable-headerless.txt')}`,
    width: 420,
  },
  { name: 'the traces on a phone', address: () => Promise.resolve('/'), width: 420 },
  { name: 'the traces on a tablet', address: () => Promise.resolve('/'), width: 768 },
  {
    name: 'the calls of one function',
    address: async (_, url) =>
      `/t/${await uploadSample(url, 'timer-interrupt-6.12.txt.zst')}/calls?show=functions&of=hrtimer_interrupt`,
  },
  {
    name: 'the timeline with a case opened, and its details',
    address: async (page, url) => {
      const { trace, id } = await worstCase(page, url, load, 'cyclic');
      return `/t/${trace}/timeline?case=${id}&area=1040000000-1046000000`;
    },
  },
  {
    name: 'a comparison',
    address: async (page, url) => {
      const abnormal = await slowestCall(page, url, 'timer-interrupt-abnormal-annotated.txt', root);
      const normal = await slowestCall(page, url, 'timer-interrupt-normal.txt', root);
      return `/diff?abnormal=${abnormal.ref}&normal=${normal.ref}`;
    },
  },
  { name: 'an experiment', address: compared },
  { name: 'an experiment on a phone', address: compared, width: 420 },
  {
    name: 'the timeline with tasks on a tablet',
    address: async (_, url) => `/t/${await uploadSample(url, load)}/timeline?tasks=371,372`,
    width: 768,
  },
  {
    name: 'the timeline on a tablet',
    address: async (_, url) => `/t/${await uploadSample(url, load)}/timeline`,
    most: 0.004,
    width: 768,
  },
  {
    name: 'the timeline with tasks on a wide screen',
    address: async (_, url) => `/t/${await uploadSample(url, load)}/timeline?tasks=371`,
    width: 1920,
  },
  {
    name: 'a query with a trace of a long name on a tablet',
    address: async (_, url) => {
      await uploadText(url, `${'long name '.repeat(12)}.cyclictest`, verboseText([[7, 9, 36, 8]]));
      return '/query';
    },
    width: 768,
  },
  {
    name: 'a trace that does not exist on a tablet',
    address: () => Promise.resolve('/t/aaaaaaaaaaaa'),
    width: 768,
  },
];

for (const { name, address, width, most = mostShift } of pages) {
  test(`nothing on the page moves while it loads: ${name}`, async ({ page, baseURL }) => {
    const path = await address(page, baseURL ?? '');
    if (width !== undefined) await page.setViewportSize({ width, height: 900 });
    await watchLayout(page);
    await deliverOneByOne(page);
    await page.goto(path);
    await expect(page.locator('main')).not.toBeEmpty();
    await expectSettled(page);
    const { total, moved } = await layoutShift(page);
    expect(total, moved.join('\n')).toBeLessThan(most);
  });
}
