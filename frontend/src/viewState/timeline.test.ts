import { expect, test } from 'vitest';
import { timelineState } from './timeline';

test('an opened case and the choice of kinds come back from the address', () => {
  const state = { ...timelineState.read({}).state, case: 'cyclic-471@14122342271', cases: 'all' };
  expect(timelineState.read(timelineState.write(state))).toEqual({ state, notices: [] });
});

test.each(['<b>', 'A', 'a'.repeat(65)])('%o is no kind', (cases) => {
  const { state, notices } = timelineState.read({ cases });
  expect(state.cases).toBe('');
  expect(notices).toHaveLength(1);
});
