import { expect, test } from 'vitest';
import { stagePieces } from './StageRulers';

const stage = (from: string, to: string, abnormal_ns: number, normal_ns: number) => ({
  from,
  to,
  abnormal_ns,
  normal_ns,
  delta_ns: abnormal_ns - normal_ns,
});
const STAGES = [stage('waking', 'wakeup', 2_000, 3_000), stage('wakeup', 'switch', 90_000, 5_000)];

test('stages follow each other, and the one that grew most is late', () => {
  const pieces = stagePieces({ stages: STAGES, delta_ns: 84_000 }, 'abnormal');
  expect(pieces.map(({ start, end, isLate }) => [start, end, isLate])).toEqual([
    [0, 2_000, false],
    [2_000, 92_000, true],
  ]);
  expect(stagePieces({ stages: STAGES, delta_ns: 84_000 }, 'normal').some(({ isLate }) => isLate)).toBe(
    false,
  );
});

test('of the faster of two cases, no stage is late', () => {
  const swapped = STAGES.map((one) => stage(one.from, one.to, one.normal_ns, one.abnormal_ns));
  const pieces = stagePieces({ stages: swapped, delta_ns: -84_000 }, 'abnormal');
  expect(pieces.some(({ isLate }) => isLate)).toBe(false);
});
