import type { Trace } from '../../../api/types';
import type { TimeWindow } from '../../../components/chart/timeWindow';
import { csvText, saveBlob } from '../../../lib/download';
import { visibleText } from '../../../lib/visibleText';
import type { AreaRow } from './areaTotals';

const HEAD = [
  'CPU',
  'kind',
  'name',
  'tasks',
  'count',
  'total (ns)',
  'longest, whole (ns)',
  'longest at (ns)',
  'share',
] as const;

/** All rows as a file. */
export function saveAreaCsv(
  trace: Trace,
  area: TimeWindow,
  rows: readonly AreaRow[],
  available: number,
): void {
  const lines = rows.map(({ cpu, kind, name, task_count, count, total_ns, max_ns, max_start }) => [
    cpu?.toString() ?? '',
    kind,
    name,
    task_count.toString(),
    count.toString(),
    total_ns.toString(),
    max_ns.toString(),
    max_start.toString(),
    (total_ns / available).toFixed(6),
  ]);
  const blob = new Blob([csvText([HEAD, ...lines])], { type: 'text/csv' });
  saveBlob(blob, `${visibleText(trace.name)}-${area.start}-${area.end}.csv`);
}
