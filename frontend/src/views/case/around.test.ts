import { expect, test } from 'vitest';
import { CASE } from '../../api/latencies.fixture';
import { timelineState } from '../../viewState/timeline';
import { timelineAround } from './around';

test('the timeline opens around the case with the case selected', () => {
  const { state, notices } = timelineState.read(timelineAround(CASE));
  expect(state).toMatchObject({
    window: { start: 985_000, end: 1_025_000 },
    area: { start: CASE.t, end: CASE.end },
  });
  expect(notices).toEqual([]);
});

test('a case that began before the recording still makes a link that can be read', () => {
  const { state, notices } = timelineState.read(
    timelineAround({ window: { start: -500, end: 200 }, t: -300, end: -300 }),
  );
  expect(notices).toEqual([]);
  expect(state.window).toEqual({ start: 0, end: 200 });
});
