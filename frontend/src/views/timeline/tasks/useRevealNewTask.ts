import { useEffect, useRef, type RefObject } from 'react';
import type { LaneChartHandle } from '../../../components/chart/LaneChart';
import type { PlannedLane } from '../../../components/lanes/laneModel';

/** Scrolls to the lane of a task that has just been added: it lies above all CPUs, of which there may be many. */
export function useRevealNewTask(
  tasks: readonly number[],
  lanes: readonly PlannedLane[] | undefined,
  chart: RefObject<LaneChartHandle | null>,
): void {
  const known = useRef(tasks);
  useEffect(() => {
    const added = tasks.find((pid) => !known.current.includes(pid));
    const row = lanes?.findIndex(({ pid }) => pid === added) ?? -1;
    // Its lane comes with the next answer.
    if (added !== undefined && row < 0) return;
    known.current = tasks;
    if (added !== undefined) chart.current?.reveal(row);
  }, [tasks, lanes, chart]);
}
