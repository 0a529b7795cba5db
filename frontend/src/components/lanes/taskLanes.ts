import { IndexedTexts, type ItemLook, type LaneItems } from '../chart/laneScene';
import { priorityOf } from '../../lib/priority';
import { taskLabel } from '../../lib/taskKind';
import { visibleText } from '../../lib/visibleText';
import type { LaneTask, TimelineAnswer, TimelineLane } from './laneAnswer';

/** A lane of a task: what it does, or what interrupted it. */
export type TaskLane = TimelineLane & { readonly task: LaneTask };

export const isOfOneTask = (lane: TimelineLane): lane is TaskLane =>
  lane.task !== undefined && lane.task !== null;

/** Under what a task does, and what interrupted it: `rt 10, boosted to rt 80`. */
const BOOST_DEPTH = 3;

/** Of the name of a task beside its lane. */
const MOST_LETTERS = 15;

/** Blocked time is a line at the foot of the lane: the task is there, and wants nothing. */
const BLOCKED_LEVEL = 0.12;

/** `cyclictest-1213` */
export const taskLaneName = ({ task: { pid, comm } }: TaskLane): string => visibleText(taskLabel(comm, pid));

/** As much of it as fits beside the lane: of a long name the beginning, and always the pid. */
export function shortTaskName(lane: TaskLane): string {
  const { pid, comm } = lane.task;
  const kept = MOST_LETTERS - `${pid}`.length - 1;
  return comm.length <= kept ? taskLaneName(lane) : visibleText(`${comm.slice(0, kept - 1)}…-${pid}`);
}

/** The label before the row of a task: its priority as people set it. */
export const taskLaneLabel = ({ task, depth }: TaskLane): string =>
  depth > 0 ? '' : (priorityOf(task.prio)?.text ?? 'task');

/** What a task does on an item of its lane; nothing where it runs. */
const stateOf = (lane: TaskLane, item: number, { symbols }: Pick<TimelineAnswer, 'symbols'>) =>
  symbols[lane.symbol_idx[item] ?? -1];

const isBlocked = (state: string | undefined): boolean => state?.startsWith('blocked') ?? false;

/** What an item of a task's lane is, in words. */
export function taskItemName(lane: TaskLane, item: number, names: Pick<TimelineAnswer, 'symbols'>): string {
  const state = stateOf(lane, item, names);
  if (lane.depth === BOOST_DEPTH) return visibleText(state ?? 'another priority');
  if (lane.depth > 0) return `interrupted by ${visibleText(state ?? 'an interrupt')}`;
  if (lane.detail === 'buckets') return 'running and waiting';
  const cpu = lane.on_cpu?.[item];
  if (state !== undefined) return visibleText(state);
  return cpu === undefined ? 'running' : `running on CPU ${cpu}`;
}

/** The colours of a task's lane: where it runs, waits, and is interrupted. */
export interface TaskInks {
  readonly running: string;
  readonly waiting: string;
  readonly irq: string;
  readonly softirq: string;
  readonly boost: string;
}

function inkOf(depth: number, { irq, softirq, boost }: TaskInks): string {
  if (depth === BOOST_DEPTH) return boost;
  return depth === 1 ? irq : softirq;
}

/** The priorities of a task at the start of one of its slices, where it was lent one: `rt 10, boosted to rt 80`. */
export function boostAt(
  { lanes, symbols }: Pick<TimelineAnswer, 'lanes' | 'symbols'>,
  pid: number,
  t: number,
): string | undefined {
  const lane = lanes.find((one) => isOfOneTask(one) && one.task.pid === pid && one.depth === BOOST_DEPTH);
  const item = lane?.t.findIndex((start, index) => start <= t && t < start + (lane.duration_ns[index] ?? 0));
  const symbol = lane === undefined || item === undefined ? undefined : symbols[lane.symbol_idx[item] ?? -1];
  return symbol === undefined ? undefined : visibleText(symbol);
}

/** The items of a task's lane: filled where it runs, outlined where it waits, low where it is blocked. */
export function taskItems(
  lane: TaskLane,
  names: Pick<TimelineAnswer, 'symbols'>,
  inks: TaskInks,
  fills: IndexedTexts,
  texts: IndexedTexts,
): LaneItems {
  const columns = { start: lane.t, duration: lane.duration_ns };
  const every = <T>(of: (item: number) => T): readonly T[] => lane.t.map((_, item) => of(item));
  if (lane.depth > 0) {
    const fill = fills.indexOf(inkOf(lane.depth, inks));
    return { ...columns, fill: every(() => fill) };
  }
  const [running, waiting] = [fills.indexOf(inks.running), fills.indexOf(inks.waiting)];
  if (lane.detail === 'buckets') return { ...columns, ...bucketColumns(lane, running, waiting) };
  const states = every((item) => stateOf(lane, item, names));
  return {
    ...columns,
    fill: states.map((state) => (state === undefined ? running : waiting)),
    look: states.map(lookOfState),
    level: states.map((state) => (isBlocked(state) ? BLOCKED_LEVEL : 1)),
    text: states.map((state, item) =>
      isBlocked(state) ? undefined : texts.indexOf(taskItemName(lane, item, names)),
    ),
  };
}

function lookOfState(state: string | undefined): ItemLook {
  if (state === undefined || isBlocked(state)) return 'filled';
  return state === 'runnable' ? 'outlined' : 'hatched';
}

/** As high as it ran in the bucket; where it only waited, outlined and as high as it waited. */
function bucketColumns(lane: TaskLane, running: number, waiting: number) {
  const runs = lane.t.map((_, item) => (lane.busy_ns?.[item] ?? 0) > 0);
  const share = (ns: number | undefined, item: number) =>
    Math.min(1, (ns ?? 0) / Math.max(1, lane.duration_ns[item] ?? 0));
  return {
    fill: runs.map((isRunning) => (isRunning ? running : waiting)),
    look: runs.map((isRunning): ItemLook => (isRunning ? 'filled' : 'outlined')),
    level: runs.map((isRunning, item) => share((isRunning ? lane.busy_ns : lane.waiting_ns)?.[item], item)),
  };
}
