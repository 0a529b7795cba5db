import { expect, it } from 'vitest';
import { proposedLabels } from './proposedLabels';

const named = (name: string, kernel: string | null = null, labels: Record<string, string> = {}) => ({
  name,
  kernel,
  labels,
});

it.each([
  ['ftq-1ms-hz1000-ic.txt.zst', { hz: '1000' }],
  ['cyc-run03-rt-before.cyclictest.txt', { run: '03' }],
  ['load=none_board=rpi5.dat', { load: 'none', board: 'rpi5' }],
  ['sleep-10ms-idle-6.12-rpi5.txt', {}],
  ['hz250-hz1000.txt', {}],
])('reads what %s states, and no more', (name, stated) => {
  const labels = proposedLabels([named(name)]);
  expect(Object.fromEntries(labels.map(({ name: of, value }) => [of, value]))).toEqual(stated);
});

it('takes the kernel from the recording, not from its name', () => {
  expect(proposedLabels([named('kernel=5.9.txt', '6.12.1-rt')])).toEqual([
    { name: 'kernel', value: '6.12.1-rt' },
  ]);
});

it('proposes for many traces what all of them state', () => {
  expect(proposedLabels([named('run01-hz250.txt'), named('run02-hz250.txt')])).toEqual([
    { name: 'hz', value: '250' },
  ]);
  expect(proposedLabels([named('hz250.txt'), named('other.txt')])).toEqual([]);
});

it('proposes no label that all have', () => {
  expect(proposedLabels([named('hz250.txt', null, { hz: '250' })])).toEqual([]);
  expect(proposedLabels([])).toEqual([]);
});

it('proposes nothing that is too long for a label', () => {
  expect(proposedLabels([named('a.txt', 'x'.repeat(201))])).toEqual([]);
});
