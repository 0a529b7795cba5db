import { expect, test } from 'vitest';
import { buildScene } from '../../../components/chart/laneScene';
import { caseBlocks } from './caseBlocks';

const row = (id: string, group?: string) => ({
  id,
  label: '',
  height: 20,
  items: { start: [], duration: [], fill: [] },
  ...(group !== undefined && { group }),
});

const SCENE = buildScene({
  rows: [row('a', 'CPU 0'), row('b'), row('c', 'CPU 1'), row('d'), row('e', 'CPU 2'), row('f', 'All CPUs')],
  fills: [],
  texts: [],
  groupGap: 10,
});
const LANES = [0, 0, 1, 1, 2, null].map((cpu) => ({ cpu }));
const topOf = (index: number) => SCENE.tops[index] ?? -1;

test('a CPU is one block, from its first row to its last', () => {
  expect(caseBlocks(LANES, SCENE, { cpus: [1, null], pid: null })).toEqual([
    { top: topOf(2), height: topOf(3) + 20 - topOf(2) },
  ]);
});

test('CPUs with others between them are blocks of their own', () => {
  expect(caseBlocks(LANES, SCENE, { cpus: [2, 0], pid: null }).map(({ top }) => top)).toEqual([
    topOf(0),
    topOf(4),
  ]);
});

test('rows that belong to no CPU, and CPUs that are not shown, have none', () => {
  expect(caseBlocks(LANES, SCENE, { cpus: [null], pid: null })).toEqual([]);
  expect(caseBlocks(LANES, SCENE, { cpus: [7], pid: null })).toEqual([]);
});

test('the rows of its task are a block, and those of other tasks are none', () => {
  const lanes = [{ cpu: null, pid: 9 }, { cpu: null, pid: 9 }, { cpu: null, pid: 8 }, ...LANES.slice(3)];
  const own = [{ top: topOf(0), height: topOf(1) + 20 - topOf(0) }];
  expect(caseBlocks(lanes, SCENE, { cpus: [null], pid: 9 })).toEqual(own);
  expect(caseBlocks(lanes, SCENE, { cpus: [1], pid: 7 })).toEqual([{ top: topOf(3), height: 20 }]);
});
