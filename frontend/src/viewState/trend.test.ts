import { expect, it } from 'vitest';
import { trendState } from './trend';

it('reads what it wrote', () => {
  const state = {
    ...trendState.read({}).state,
    labels: ['board:rpi4', 'note:a;b 100 %'],
    traces: ['abcdefghijkl', 'mnopqrstuvwx'],
    priority: ['real_time' as const],
    by: 'build',
    stat: 'max_ns' as const,
  };
  expect(trendState.read(trendState.write(state))).toEqual({ state, notices: [] });
});

it.each(['nocolon', 'a:%', ':x', 'a:b;;c:d'])('ignores the labels %s and says so', (labels) => {
  const { state, notices } = trendState.read({ labels });
  expect(state.labels).toEqual([]);
  expect(notices).toHaveLength(1);
});

it('ignores ids that are none, and counts one given twice once', () => {
  expect(trendState.read({ traces: 'a,b/c' }).notices).toHaveLength(1);
  expect(trendState.read({ traces: 'a,b,a' }).state.traces).toEqual(['a', 'b']);
});
