import { expect, test } from 'vitest';
import { thumbnailPieces } from './thumbnailPieces';

const stage = (from: string, to: string, start_ns: number, duration_ns: number) => ({
  from,
  to,
  start_ns,
  duration_ns,
});

const STAGES = [
  stage('expected expiry', 'interrupt entry', 1_000, 10),
  stage('interrupt entry', 'timer handler', 1_010, 60),
  stage('timer handler', 'switch', 1_070, 30),
];

const drawn = (...ruler: Parameters<typeof thumbnailPieces>) =>
  thumbnailPieces(...ruler).map(({ id, start, end, isLate }) => [id, start, end, isLate]);

test('the late part lies over the stages', () => {
  const late = [
    { start_ns: 1_005, duration_ns: 20 },
    { start_ns: 1_050, duration_ns: 30 },
  ];
  expect(drawn({ stages: STAGES, late })).toEqual([
    ['stage-1', 1_000, 1_010, false],
    ['stage-2', 1_010, 1_070, false],
    ['stage-3', 1_070, 1_100, false],
    ['late-1', 1_005, 1_025, true],
    ['late-2', 1_050, 1_080, true],
  ]);
});

test('where it is not known what was late, the widest stage was', () => {
  expect(drawn({ stages: STAGES, late: [] }).map(([id, , , isLate]) => [id, isLate])).toEqual([
    ['stage-1', false],
    ['stage-2', true],
    ['stage-3', false],
  ]);
});
