import type { PlannedLane } from '../../../components/lanes/laneModel';
import type { Arrow } from './arrow';

type Row = Pick<PlannedLane, 'cpu' | 'pid' | 'kind' | 'depth'>;

/** Where the handler runs that an arrow leads to; those of other kinds lead to what a task does. */
const HANDLERS: Readonly<Record<string, string>> = { timer: 'irq', ipi: 'irq', softirq: 'softirq' };

/** The row of an end of an arrow: its task's own where that runs there, else one of its CPU; nothing if none is shown. */
export function arrowRow(
  lanes: readonly Row[],
  { kind, from, to }: Arrow,
  side: 'from' | 'to',
): number | undefined {
  const { cpu, pid } = side === 'from' ? from : to;
  const find = (is: (lane: Row) => boolean) => {
    const row = lanes.findIndex(is);
    return row < 0 ? undefined : row;
  };
  const ofTask =
    side === 'to' && HANDLERS[kind] === undefined
      ? find((lane) => lane.pid !== undefined && lane.pid === pid && lane.depth === 0)
      : undefined;
  const ofCpu = (lane: Row) => lane.pid === undefined && lane.cpu === cpu;
  const wanted = side === 'to' ? (HANDLERS[kind] ?? 'sched') : 'sched';
  return ofTask ?? find((lane) => ofCpu(lane) && lane.kind === wanted) ?? find(ofCpu);
}
