import { expect, test } from 'vitest';
import { compareState } from './compare';

const read = (variants: string) => compareState.read({ variants });

test('variants keep their names and their order', () => {
  const variants = [
    { name: 'a=b; c, d %', traces: ['abc', 'def'] },
    { name: 'µ', traces: ['ghi'] },
    { name: 'nightly', traces: [], labels: { 'board/rev': 'rpi5, b:2', load: 'µ=;%' } },
  ];
  const written = compareState.write({ ...compareState.read({}).state, variants });
  expect(compareState.read(written).state.variants).toEqual(variants);
});

test('what is no list of variants is ignored, and said so', () => {
  for (const text of [
    'before',
    'a=x;a=y',
    'a=',
    '=x',
    'a=x y',
    '%E0=x',
    'a=load:',
    'a=load:%E0',
    'a=x,load:y',
    '=',
    ''.padEnd(9, 'a'),
    `a=${'x,'.repeat(2001)}x`,
  ]) {
    const { state, notices } = read(text);
    expect(state.variants).toEqual([]);
    expect(notices).toHaveLength(1);
  }
});

const classes = (priority: string) => compareState.read({ priority }).state.priority;

test('classes of tasks are those of the scheduler, each once', () => {
  expect(classes('fair,real_time,fair')).toEqual(['real_time', 'fair']);
  expect(classes('fair,fifo')).toBeUndefined();
});

test('all classes are a choice, which addresses of version 1 did not have to name', () => {
  const { state } = compareState.read({ v: '1', kind: 'cyclic' });
  expect(state.priority).toEqual([]);
  expect(compareState.write(state)).toEqual({ v: '2', kind: 'cyclic', priority: 'any' });
  expect(compareState.read({ v: '1', priority: 'fair' }).state.priority).toEqual(['fair']);
  expect(compareState.read({ v: '2', kind: 'cyclic' }).state.priority).toBeUndefined();
});
