import { expect, test } from 'vitest';
import type { LanePlan } from '../../../components/lanes/laneModel';
import { arrangeLanes, laneIds, placeLane, type Arrangement } from './arrangeLanes';

const lane = (cpu: number, kind: string, more: Partial<LanePlan> = {}): LanePlan => ({
  id: `cpu${cpu}.${kind}`,
  cpu,
  kind,
  depth: 0,
  isNested: false,
  label: kind,
  ...more,
});

const PLANS = [
  lane(0, 'sched', { group: 'CPU 0' }),
  lane(0, 'irq'),
  lane(0, 'irq.1', { isNested: true, depth: 1 }),
  lane(1, 'sched', { group: 'CPU 1' }),
  lane(1, 'irq'),
];

const NOTHING: Arrangement = { pin: [], order: [], without: [] };

/** `CPU 0|cpu0.sched`, rows by their ids, with the name of their block before the first of it. */
const rows = (arrangement: Partial<Arrangement>) =>
  arrangeLanes(PLANS, { ...NOTHING, ...arrangement }).map(({ id, group }) =>
    group === undefined ? id : `${group}|${id}`,
  );

test('pinned lanes come first, in their order, and say whose they are', () => {
  expect(rows({ pin: ['cpu1.irq', 'cpu0.sched'] })).toEqual([
    'CPU 1|cpu1.irq',
    'CPU 0|cpu0.sched',
    'cpu0.irq',
    'cpu0.irq.1',
    'CPU 1|cpu1.sched',
  ]);
});

test('a lane is moved with what is nested in it', () => {
  expect(rows({ order: [{ id: 'cpu0.irq', above: undefined }] })).toEqual([
    'CPU 0|cpu0.sched',
    'CPU 1|cpu1.sched',
    'cpu1.irq',
    'CPU 0|cpu0.irq',
    'cpu0.irq.1',
  ]);
});

test('lanes that are left out take the rows nested in them along', () => {
  expect(rows({ without: ['cpu0.irq'] })).toEqual(['CPU 0|cpu0.sched', 'CPU 1|cpu1.sched', 'cpu1.irq']);
});

test('whatever is asked, no lane is lost or doubled', () => {
  const ids = PLANS.map(({ id }) => id);
  for (const id of [...ids, 'nowhere']) {
    for (const above of [...ids, 'nowhere', undefined]) {
      const arrangement = { pin: [...new Set([id, above ?? ''])], order: [{ id, above }], without: [] };
      expect(
        arrangeLanes(PLANS, arrangement)
          .map((row) => row.id)
          .toSorted(),
      ).toEqual(ids.toSorted());
    }
  }
});

test('a lane placed above another is drawn there', () => {
  const ids = laneIds(PLANS);
  for (const id of ids) {
    for (const above of ids.filter((other) => other !== id)) {
      for (const pin of [[], [above], [id], [id, above]]) {
        const placed = { ...NOTHING, ...placeLane({ ...NOTHING, pin }, { id, above }) };
        const order = laneIds(arrangeLanes(PLANS, placed));
        expect(order.indexOf(id) + 1).toBe(order.indexOf(above));
      }
    }
  }
});
