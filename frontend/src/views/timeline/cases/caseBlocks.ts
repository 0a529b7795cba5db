import type { LaneScene } from '../../../components/chart/laneScene';
import type { LanePlan } from '../../../components/lanes/laneModel';

/** Adjacent rows that belong to a CPU or the task of the case, in pixels from the first row. */
export interface CaseBlock {
  readonly top: number;
  readonly height: number;
}

/** Where the lanes of these CPUs, and of this task, are drawn. */
export function caseBlocks(
  lanes: readonly Pick<LanePlan, 'cpu' | 'pid'>[],
  { rows, tops }: Pick<LaneScene, 'rows' | 'tops'>,
  { cpus, pid }: { readonly cpus: readonly (number | null)[]; readonly pid: number | null },
): readonly CaseBlock[] {
  const isOfCase = (lane: Pick<LanePlan, 'cpu' | 'pid'> | undefined) =>
    lane !== undefined &&
    (lane.pid === undefined ? lane.cpu !== null && cpus.includes(lane.cpu) : lane.pid === pid);
  const blocks: CaseBlock[] = [];
  let isOpen = false;
  for (const [index, row] of rows.entries()) {
    const top = tops[index] ?? 0;
    const last = blocks.at(-1);
    if (!isOfCase(lanes[index])) {
      isOpen = false;
    } else if (isOpen && last !== undefined) {
      blocks.splice(-1, 1, { top: last.top, height: top + row.height - last.top });
    } else {
      blocks.push({ top, height: row.height });
      isOpen = true;
    }
  }
  return blocks;
}
