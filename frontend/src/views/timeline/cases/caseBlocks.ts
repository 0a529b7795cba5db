import type { LaneScene } from '../../../components/chart/laneScene';
import type { LanePlan } from '../../../components/lanes/laneModel';

/** Rows that stand under each other and belong to a CPU of the case, in pixels from the first row. */
export interface CaseBlock {
  readonly top: number;
  readonly height: number;
}

/** Where the lanes of these CPUs are drawn. */
export function caseBlocks(
  lanes: readonly Pick<LanePlan, 'cpu'>[],
  { rows, tops }: Pick<LaneScene, 'rows' | 'tops'>,
  cpus: readonly (number | null)[],
): readonly CaseBlock[] {
  const blocks: CaseBlock[] = [];
  let isOpen = false;
  for (const [index, row] of rows.entries()) {
    const cpu = lanes[index]?.cpu ?? null;
    const top = tops[index] ?? 0;
    const last = blocks.at(-1);
    if (cpu === null || !cpus.includes(cpu)) {
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
