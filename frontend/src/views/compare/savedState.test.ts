import { expect, it } from 'vitest';
import { compareState } from '../../viewState/compare';
import { isChanged, savedOf, stateOf } from './savedState';

const base = compareState.read({}).state;

it('opens with what was saved, whatever was compared', () => {
  for (const [kind, key] of [
    ['wakeup', null],
    ['field', 'hrtimer_cb.delta'],
    ['measured', 'cyclictest thread 0'],
  ] as const) {
    const variants = [
      { name: 'before', traces: ['abc', 'def'] },
      { name: 'after', traces: [], labels: { load: 'none' } },
    ];
    const shown = { rows: 'label:sleep', form: 'shelves' as const };
    const state = { ...base, variants, kind, key: key ?? '', priority: [], ...shown };
    const asked = { variants, kind, key, cpu: undefined, comm: '', priority: [], strata: ['label:sleep'] };
    const saved = savedOf(state, asked);
    expect(saved.view).toEqual({ v: '2', form: 'shelves' });
    expect(stateOf(saved)).toEqual(state);
    expect(isChanged(state, saved)).toBe(false);
    expect(isChanged({ ...state, form: 'percentiles' }, saved)).toBe(true);
    expect(isChanged({ ...state, cpu: 1 }, saved)).toBe(true);
  }
});

it('ignores what a later version may have saved', () => {
  const saved = savedOf(base, {
    variants: [],
    kind: 'irq',
    key: null,
    cpu: 3,
    comm: 'sh',
    priority: ['fair'],
    strata: [],
  });
  expect(stateOf({ ...saved, view: { v: '1', form: 'clouds', depth: '3' } })).toEqual({
    ...base,
    kind: 'irq',
    cpu: 3,
    comm: 'sh',
    priority: ['fair'],
  });
});
