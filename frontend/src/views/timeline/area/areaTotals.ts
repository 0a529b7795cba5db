import type { SliceTotals } from '../../../api/sliceTotals';
import { visibleText } from '../../../lib/visibleText';
import { taskLabel } from '../../../lib/taskKind';
import type { AreaGrouping, AreaSort } from '../../../viewState/timeline';
import { groupDigits } from '../../../lib/ns';

/** What one name took of a stretch: a task, all tasks of one name, an interrupt, a softirq, an idle state. */
export interface AreaRow {
  readonly key: string;
  readonly kind: string;
  /** `hackbench ×44`, `cyclictest-372`, `local_timer`. */
  readonly name: string;
  /** Where it is of one CPU. */
  readonly cpu: number | undefined;
  /** One of its tasks, for its colour; absent of what is no task. */
  readonly task: { readonly comm: string; readonly pid: number | null } | undefined;
  readonly symbol: string | undefined;
  readonly task_count: number;
  readonly count: number;
  readonly total_ns: number;
  readonly max_ns: number;
  readonly max_start: number;
}

/** What a slice without a name is called, where its kind is not enough: who ran while a switch is missing is not known. */
const NAMELESS: Readonly<Record<string, string>> = { sched: 'unknown task' };

type Item = SliceTotals['items'][number];

interface Sums {
  row: AreaRow;
  readonly pids: Set<number | null>;
}

/**
 * The parts of a stretch added up by CPU and name, by task or by name, without idle tasks, which stand for nothing
 * that runs.
 */
export function areaRows(parts: readonly SliceTotals[], by: AreaGrouping): readonly AreaRow[] {
  const sums = new Map<string, Sums>();
  for (const part of parts) {
    for (const item of part.items) {
      const task = part.tasks[item.task_idx ?? -1];
      if (task?.pid === 0) continue;
      addItem(sums, item, task, part.symbols[item.symbol_idx ?? -1], by);
    }
  }
  return [...sums.values()].map(({ row, pids }) =>
    by === 'name' && pids.size > 1
      ? {
          ...row,
          name: visibleText(`${row.task?.comm ?? ''} ×${groupDigits(pids.size)}`),
          task_count: pids.size,
        }
      : row,
  );
}

function addItem(
  sums: Map<string, Sums>,
  { cpu, kind, count, total_ns, max_ns, max_start }: Item,
  task: AreaRow['task'],
  symbol: string | undefined,
  by: AreaGrouping,
): void {
  const whose = task === undefined ? (symbol ?? '') : by === 'name' ? task.comm : `${task.comm} ${task.pid}`;
  const key = `${by === 'cpu' ? cpu : ''}/${kind}/${task === undefined ? 'of' : 'task'}/${whose}`;
  const known = sums.get(key);
  if (known === undefined) {
    const name = visibleText(task ? taskLabel(task.comm, task.pid) : (symbol ?? NAMELESS[kind] ?? kind));
    const row = { key, kind, name, cpu: by === 'cpu' ? cpu : undefined, task, symbol };
    const pids = new Set(task ? [task.pid] : []);
    sums.set(key, { row: { ...row, task_count: pids.size, count, total_ns, max_ns, max_start }, pids });
    return;
  }
  const isLonger = max_ns > known.row.max_ns;
  if (task) known.pids.add(task.pid);
  known.row = {
    ...known.row,
    count: known.row.count + count,
    total_ns: known.row.total_ns + total_ns,
    max_ns: isLonger ? max_ns : known.row.max_ns,
    max_start: isLonger ? max_start : known.row.max_start,
  };
}

/** Sorted as asked; among equals, what took more is first. */
export function sortedRows(rows: readonly AreaRow[], sort: AreaSort): readonly AreaRow[] {
  const [isDescending, name] = sort.startsWith('-') ? [true, sort.slice(1)] : [false, sort];
  const sign = isDescending ? -1 : 1;
  const compare = (a: AreaRow, b: AreaRow): number => {
    if (name === 'name') return a.name.localeCompare(b.name);
    if (name === 'count') return a.count - b.count;
    return name === 'longest' ? a.max_ns - b.max_ns : a.total_ns - b.total_ns;
  };
  return rows.toSorted(
    (a, b) => sign * compare(a, b) || b.total_ns - a.total_ns || a.name.localeCompare(b.name),
  );
}

/** What the rows are of: so much time had the CPU of a row, or all CPUs together. */
export function availableNs(by: AreaGrouping, stretchNs: number, cpuCount: number): number {
  return Math.max(1, stretchNs * (by === 'cpu' ? 1 : Math.max(1, cpuCount)));
}
