import { causeName } from '../../../components/cause/causeLook';
import type { Interference, InterferenceShare } from '../../../api/latencyTypes';
import { groupDigits } from '../../../lib/ns';
import { taskLabel } from '../../../lib/taskKind';

interface Task {
  readonly comm: string | null;
  readonly pid: number;
}

/** What one cause took from one CPU or one task, as a row. */
export interface InterferenceRow extends InterferenceShare {
  readonly key: string;
  readonly name: string;
  /** `CPU 1`, or the task. */
  readonly from: string;
  /** Whose time it was, where that is known; absent for CPUs. */
  readonly owner?: Task;
  readonly isFirst: boolean;
  readonly note: string | undefined;
}

export type InterferenceBy = 'cpu' | 'task';

/** The number of rows in all, shared out fairly, but never fewer than a few of each CPU or task. */
const MOST_ROWS = 24;
const FEWEST_EACH = 3;

export interface InterferenceTable {
  readonly rows: readonly InterferenceRow[];
  /** Causes of the listed CPUs or tasks that are left out, each smaller than those that are not. */
  readonly omittedCauses: number;
  /** CPUs or tasks that are left out. */
  readonly omittedOwners: number;
}

/** One row for each cause, largest first within each CPU or task; CPUs in order, tasks with the most taken first. */
export function interferenceTable(
  answer: Interference,
  by: InterferenceBy,
  cpus: readonly number[],
): InterferenceTable {
  const chosen = answer.cpus.filter(({ cpu }) => cpus.length === 0 || cpus.includes(cpu));
  const owners = by === 'cpu' ? chosen.map(cpuRows) : answer.tasks.map(taskRows);
  const listed = owners.slice(0, MOST_ROWS / FEWEST_EACH);
  const each = Math.max(FEWEST_EACH, Math.floor(MOST_ROWS / Math.max(1, listed.length)));
  const rows = listed.flatMap((owned) => owned.slice(0, each));
  return {
    rows,
    omittedCauses: listed.reduce((sum, owned) => sum + owned.length, 0) - rows.length,
    omittedOwners: owners.length - listed.length,
  };
}

/** What is not in the table, in words; nothing where all is. */
export function omittedText({ omittedCauses, omittedOwners }: InterferenceTable, by: InterferenceBy): string {
  const causes =
    omittedCauses > 0
      ? `${groupDigits(omittedCauses)} smaller ${omittedCauses === 1 ? 'cause' : 'causes'}`
      : '';
  const owner = by === 'cpu' ? 'CPU' : 'task';
  const owners =
    omittedOwners > 0 ? `${groupDigits(omittedOwners)} more ${owner}${omittedOwners === 1 ? '' : 's'}` : '';
  const both = [causes, owners].filter(Boolean).join(' and ');
  return both === '' ? '' : `Not listed: ${both}.`;
}

function cpuRows({ cpu, is_isolated, by }: Interference['cpus'][number]): readonly InterferenceRow[] {
  return rowsOf({ from: `CPU ${cpu}` }, by, is_isolated ? 'isolated' : undefined);
}

function taskRows({ pid, comm, by }: Interference['tasks'][number]): readonly InterferenceRow[] {
  const owner = pid === null ? {} : { owner: { comm, pid } };
  return rowsOf({ from: taskLabel(comm, pid), ...owner }, by, undefined);
}

/** Idle time was taken from nobody. */
function rowsOf(
  whose: Pick<InterferenceRow, 'from' | 'owner'>,
  causes: readonly InterferenceShare[],
  note: string | undefined,
): readonly InterferenceRow[] {
  return causes
    .filter(({ cause }) => cause !== 'idle')
    .map((cause, index) => ({
      ...cause,
      name: nameOf(cause),
      key: [whose.from, cause.cause, cause.what, cause.pid].join(' '),
      ...whose,
      isFirst: index === 0,
      note: index === 0 ? note : undefined,
    }));
}

/** Which one: a task with its pid, anything else as the server names it. */
function nameOf({ cause, what, pid }: InterferenceShare): string {
  return cause === 'task' && pid !== null ? taskLabel(what, pid) : (what ?? causeName(cause));
}

/** How often the tick came, in hertz with at most three decimals: 250,000 thousandths are `250`. */
export function hertzText(rateHzMilli: number): string {
  const rest = (rateHzMilli % 1000).toString().padStart(3, '0').replace(/0+$/, '');
  return `${Math.floor(rateHzMilli / 1000)}${rest === '' ? '' : `.${rest}`}\u202fHz`;
}
