import type { CpuEventCounts } from '../../../api/eventCounts';
import { spanOf, type TimeWindow } from '../../../components/chart/timeWindow';

/** Pixels of a tick of one match, and of one of very many. */
export const TICK_PX = { least: 4, most: 8 } as const;

/** The ticks of one CPU as the path of a drawing that is `TICK_PX.most` high: the more matches, the higher. */
export function tickPath(cells: CpuEventCounts, window: TimeWindow, plotWidth: number): string {
  const scale = plotWidth / spanOf(window);
  const parts: string[] = [];
  cells.t.forEach((start, index) => {
    const from = (start - window.start) * scale;
    const width = Math.max(1, (cells.duration_ns[index] ?? 0) * scale);
    if (from > plotWidth || from + width < 0) return;
    const height = tickHeight(cells.counts[index] ?? 0);
    parts.push(`M${rounded(from)} 0h${rounded(width)}v${rounded(height)}h-${rounded(width)}z`);
  });
  return parts.join('');
}

function tickHeight(count: number): number {
  const { least, most } = TICK_PX;
  return Math.min(most, least + Math.log2(Math.max(1, count)) / 2);
}

const rounded = (px: number) => Math.round(px * 10) / 10;

/** What a filter may have of characters. */
const MOST_CHARACTERS = 200;

/** The filter narrowed to the events of a task; nothing where that is longer than the server takes. */
export function filterOfTask(q: string, pid: number): string | undefined {
  const narrowed = `${q} pid:${pid}`;
  return narrowed.length > MOST_CHARACTERS ? undefined : narrowed;
}
