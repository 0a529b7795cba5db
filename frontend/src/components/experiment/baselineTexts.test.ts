import { expect, it } from 'vitest';
import { baselineSearch, heldText } from './baselineTexts';

const WHERE = { cpu: null, comm: null, priority_class: null };
const listed = { slug: 'green', variant: { traces: ['abc', 'def'], labels: {} }, where: WHERE };
const ofClasses = { ...listed, where: { ...WHERE, priority_class: 'real_time,deadline' } };
const labelled = {
  slug: 'rpi4',
  variant: { traces: [], labels: { board: 'rpi4', job: 'a:b' } },
  where: { ...WHERE, cpu: 0, comm: 'cyclictest' },
};

it('says which runs a baseline holds, and which of their samples', () => {
  expect(heldText(listed)).toBe('2 traces');
  expect(heldText(labelled)).toBe('board=rpi4 job=a:b, tasks named cyclictest, CPU 0');
  expect(heldText(ofClasses)).toBe('2 traces, deadline and real-time tasks');
});

it('leads to the trend of its runs, with its number behind them', () => {
  expect(baselineSearch(listed)).toEqual({ v: '2', traces: 'abc,def', baseline: 'green' });
  expect(baselineSearch(ofClasses)).toMatchObject({ baseline: 'green', priority: 'deadline,real_time' });
  expect(baselineSearch(labelled)).toEqual({
    v: '2',
    labels: 'board:rpi4;job:a:b',
    cpu: '0',
    comm: 'cyclictest',
    baseline: 'rpi4',
  });
});
