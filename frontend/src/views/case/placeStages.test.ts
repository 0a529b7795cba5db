import { expect, test } from 'vitest';
import { CASE } from '../../api/latencies.fixture';
import { placeStages } from './Stages';

test('the stages of a case lie end to end and add up to it', () => {
  const { placed, sum } = placeStages(CASE);
  expect(sum).toBe(CASE.duration_ns);
  const last = placed.at(-1);
  expect((last?.offset ?? 0) + (last?.share ?? 0)).toBeCloseTo(1, 9);
  expect(placed[1]?.offset).toBeCloseTo(551 / 18_551, 9);
  expect(placed.flatMap(({ isWidest, to }) => (isWidest ? [to] : []))).toEqual(['handler']);
});

test('a case without length or stages is no division by zero', () => {
  expect(placeStages({ stages: [], duration_ns: 0 })).toEqual({ placed: [], sum: 0 });
  const empty = { name: 's', from: 'a', to: 'b', start_ns: 0, duration_ns: 0 };
  expect(placeStages({ stages: [empty], duration_ns: 0 }).placed[0]).toMatchObject({ share: 0, offset: 0 });
});
