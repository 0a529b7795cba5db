import { expect, test, type Locator, type Page } from '@playwright/test';

import { traceLinks } from '../support/catalog.ts';
import { histogram } from '../support/cyclictest.ts';
import { ports } from '../support/ports.ts';
import { textFile } from '../support/recording.ts';
import { sleepFiles } from '../support/sleeper.ts';
import { Stack } from '../support/stack.ts';

/** From an empty server to the answer: a click is counted wherever a hand would click. */
class Hand {
  clicks = 0;

  async click(what: Locator): Promise<void> {
    this.clicks += 1;
    await what.click();
  }

  /** One click opens the list, another one chooses. */
  async choose(what: Locator, label: string | RegExp): Promise<void> {
    this.clicks += 2;
    const option = what.locator('option', { hasText: label }).first();
    await what.selectOption({ value: (await option.getAttribute('value')) ?? '' });
  }
}

const mostClicks = 6;
let stack: Stack;

test.describe.configure({ mode: 'serial' });
test.setTimeout(120_000);
test.beforeEach(async () => {
  stack = new Stack(ports.journeys);
  await stack.start({ samples: false });
});
test.afterEach(() => stack.remove());

const headline = (page: Page) => page.getByRole('heading', { level: 1 });

/** Drops the files, and waits until all of them are loaded. */
async function drop(page: Page, files: Readonly<Record<string, string>>): Promise<Hand> {
  await page.goto(stack.url);
  const named = Object.entries(files).map(([name, text]) => textFile(name, text));
  await page.getByLabel('Traces to upload').setInputFiles(named);
  await expect(traceLinks(page)).toHaveCount(named.length);
  await expect(page.getByRole('cell', { name: 'ready' })).toHaveCount(named.length);
  return new Hand();
}

async function compareAll(page: Page, hand: Hand): Promise<void> {
  await hand.click(page.getByRole('checkbox', { name: 'Select all traces on this page' }));
  await hand.click(page.getByRole('button', { name: 'Compare' }));
}

/** A task that runs on CPU 1 for so many milliseconds, and ticks of 15 µs that interrupt it so often. */
function ticking(hz: number, milliseconds: number): string {
  const lines = ['ftq-7 [001] d..2. 1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 '];
  lines[0] += 'prev_state=R ==> next_comm=ftq next_pid=7 next_prio=120';
  const stamp = (us: number) => `${1 + Math.floor(us / 1e6)}.${(us % 1e6).toString().padStart(6, '0')}`;
  for (let us = 500; us < milliseconds * 1000; us += 1e6 / hz) {
    lines.push(`ftq-7 [001] d.h1. ${stamp(us)}: local_timer_entry: vector=236`);
    const timer = 'hrtimer=00000000000000bb';
    lines.push(
      `ftq-7 [001] d.h1. ${stamp(us + 2)}: hrtimer_expire_entry: ${timer} function=tick_nohz_handler now=1`,
    );
    lines.push(`ftq-7 [001] d.h1. ${stamp(us + 15)}: hrtimer_expire_exit: ${timer}`);
    lines.push(`ftq-7 [001] d.h1. ${stamp(us + 16)}: local_timer_exit: vector=236`);
  }
  const last = `ftq-7 [001] d..2. ${stamp(milliseconds * 1000)}: sched_switch: prev_comm=ftq prev_pid=7 `;
  lines.push(`${last}prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120`);
  return `# tracer: nop\n#\n${lines.join('\n')}\n`;
}

/** Counts as ftq prints them, one a millisecond. */
function counts(values: readonly number[]): string {
  const start = (at: number) => 3_000_000_000 + at * 1_000_000;
  const lines = values.map((count, at) => `${at}\t${start(at)}\t${count}`);
  const head = `# ftq cpu=1 quantum_ns=1000000 n=${values.length} work=64 start_ns=${start(0)}`;
  return `${head}\n#quantum\tstart_ns\tcount\n${lines.join('\n')}\n`;
}

test('the tick: shelves over each other, and what each costs, in three clicks', async ({ page }) => {
  const quanta = Array.from({ length: 400 }, (_, at) => at);
  const hand = await drop(page, {
    'ftq-tick-1ms-6.12-hz1000-ic.txt': ticking(1000, 400),
    'ftq-tick-1ms-6.12-hz1000-ic.counts.tsv': counts(quanta.map((at) => 1078 + (at % 2))),
    'ftq-tick-1ms-6.12-hz250-ic.txt': ticking(250, 400),
    'ftq-tick-1ms-6.12-hz250-ic.counts.tsv': counts(quanta.map((at) => (at % 4 === 0 ? 1078 : 1094))),
    'ftq-tick-1ms-6.12-hz1000-nohzic.txt': ticking(2, 400),
    'ftq-tick-1ms-6.12-hz1000-nohzic.counts.tsv': counts(quanta.map((at) => (at % 9 === 0 ? 1094 : 1080))),
  });
  await compareAll(page, hand);
  const card = page.getByRole('table', { name: 'Variants' });
  await expect(card.getByRole('row')).toHaveCount(4);
  await expect(card).toContainText(/hz250 ic.*hz1000 ic.*hz1000 nohzic/);
  await hand.click(page.getByRole('button', { name: 'shelves' }));
  await expect(page.getByRole('img', { name: 'Distribution of all variants' })).toHaveAttribute(
    'data-rendered',
    /shelves/,
  );
  const ticks = page.getByRole('list', { name: 'The tick' });
  await expect(ticks).toContainText(/hz250 ic: the tick .* × 250 Hz = 0\.4\s% of CPU 1/);
  await expect(ticks).toContainText(/hz1000 ic: the tick .* × 1000 Hz = 1\.6\s% of CPU 1/);
  expect(hand.clicks).toBe(3);
});

test('wakeup jitter: a table of sleep lengths, idle and loaded, beside the traces, in four clicks', async ({
  page,
}) => {
  const hand = await drop(page, sleepFiles());
  await compareAll(page, hand);
  await hand.choose(page.getByLabel('rows'), /^name: 1ms/);
  const rows = page.getByRole('table', { name: 'Strata' }).getByRole('row');
  await expect(rows).toHaveText([
    /name.*idle.*load/,
    /^1ms72\.00.µs ± 1\.451.µs.*20 samplestraced 20\.00.µs ± 0.ns · 20 samples140.*traced 40\.00/,
    /^10ms/,
    /^100ms/,
    /^1s/,
  ]);
  expect(hand.clicks).toBe(4);
});

test('before and after: the sentence in two clicks, the worst case in three', async ({ page }) => {
  const files: Record<string, string> = {};
  for (const run of [1, 2, 3, 4, 5]) {
    files[`cyc-run0${run}-6.12-rt-before.cyclictest.txt`] = histogram(run, 25, 80 + run);
    files[`cyc-run0${run}-6.12-rt-after.cyclictest.txt`] = histogram(run, 24, 40 + run);
  }
  const hand = await drop(page, files);
  await compareAll(page, hand);
  await expect(headline(page)).toContainText('p99 fell from 83 µs to 43 µs');
  await hand.click(page.getByTitle('Open the worst case of this variant').first());
  await expect(headline(page)).toContainText('measured 85 µs');
  expect(hand.clicks).toBeLessThanOrEqual(mostClicks);
});
