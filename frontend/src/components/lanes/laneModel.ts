import { isOfTasks, kindOf, type CounterSeries, type TimelineAnswer, type TimelineLane } from './laneAnswer';
import { lastAtOrBefore } from '../chart/laneScene';
import { taskLabel } from '../../lib/taskKind';
import { isOfOneTask, taskItemName, shortTaskName, taskLaneLabel } from './taskLanes';
import { visibleText } from '../../lib/visibleText';

/** One row of the timeline, whether or not the visible window has anything on it. */
export interface LanePlan {
  /** `cpu0.sched.0`, `cpu0.counter.cpu_frequency`. */
  readonly id: string;
  readonly cpu: number | null;
  /** Whose row it is, where it is one of a task. */
  readonly pid?: number;
  /** A kind of slices, or `counter`. */
  readonly kind: string;
  readonly depth: number;
  /** Under a row of the same kind: what it shows is rare. A kind that has only nested slices has none above them. */
  readonly isNested: boolean;
  readonly label: string;
  /** Name of the block, on its first row. */
  readonly group?: string;
}

/** A row with what the server said is on it. */
export interface PlannedLane extends LanePlan {
  readonly lane?: TimelineLane;
  readonly series?: CounterSeries;
}

export interface LaneChoice {
  /** None named means all. */
  readonly cpu: readonly number[];
  readonly hide: readonly string[];
  /** Tasks that have lanes of their own, by pid. */
  readonly tasks?: readonly number[];
}

/** What rows of counters are, beside the kinds of slices. */
const COUNTER = 'counter';

const laneId = (lane: TimelineLane) =>
  isOfOneTask(lane) ? lane.id : `cpu${lane.cpu}.${lane.kind}.${lane.depth}`;
const seriesId = (series: CounterSeries) => `cpu${series.cpu ?? ''}.counter.${series.name}`;

/** `cpu_idle` says as a number what the idle lane says by name. */
const isShownCounter = (series: CounterSeries) => series.name !== 'cpu_idle';

/** A kind of lanes, with the label of its switch. */
export interface LaneKind {
  readonly name: string;
  readonly label: string;
}

/** The kinds of lanes that a trace has anything on, in the order in which they are drawn. */
export function presentKinds(answers: readonly TimelineAnswer[]): readonly LaneKind[] {
  const present = new Map<string, string>();
  for (const { lanes, kinds } of answers) {
    for (const lane of lanes) {
      if (!isOfOneTask(lane)) present.set(lane.kind, kindOf(lane, kinds).lane);
    }
  }
  if (answers.some((answer) => answer.counters.some(isShownCounter))) present.set(COUNTER, 'counters');
  const rank = rankIn(answers);
  return [...present]
    .map(([name, label]) => ({ name, label: visibleText(label) }))
    .toSorted((a, b) => rank(a.name) - rank(b.name));
}

/** Where a kind of lanes is drawn: those of the catalog in its order, then what it lacks, then counters. */
function rankIn(answers: readonly TimelineAnswer[]): (kind: string) => number {
  const order = answers[0]?.kinds.map(({ name }) => name) ?? [];
  return (kind) => {
    if (kind === COUNTER) return order.length + 1;
    const index = order.indexOf(kind);
    return index < 0 ? order.length : index;
  };
}

/**
 * The rows of tasks, then those for everything else that occurs in any of the answers, by CPU, then kind, then depth.
 * Made from the whole trace and the window together, so that rows neither come nor go while the window moves.
 */
export function planLanes(answers: readonly TimelineAnswer[], choice: LaneChoice): readonly LanePlan[] {
  return [...planTaskLanes(answers.at(-1), choice), ...planCpuLanes(answers, choice)];
}

/** The rows of the tasks that have lanes of their own, in the order in which they were asked for. */
function planTaskLanes(answer: TimelineAnswer | undefined, { tasks = [] }: LaneChoice): readonly LanePlan[] {
  const lanes = (answer?.lanes ?? []).filter(isOfOneTask);
  return tasks.flatMap((pid) => {
    // What it does, then what interrupted it.
    const ofTask = lanes.filter(({ task }) => task.pid === pid).toSorted((a, b) => a.depth - b.depth);
    return ofTask.map((lane, index): LanePlan => {
      const { id, kind, depth } = lane;
      const plan = { id, cpu: null, pid, kind, depth, isNested: depth > 0, label: taskLaneLabel(lane) };
      return index === 0 ? { ...plan, group: shortTaskName(lane) } : plan;
    });
  });
}

function planCpuLanes(answers: readonly TimelineAnswer[], choice: LaneChoice): readonly LanePlan[] {
  const plans = new Map<string, Place>();
  for (const answer of answers) {
    for (const lane of answer.lanes) {
      if (isOfOneTask(lane)) continue;
      const { cpu, kind, depth } = lane;
      const { rows, lane: title } = kindOf(lane, answer.kinds);
      const label = visibleText(rows[depth] ?? title);
      plans.set(laneId(lane), { id: laneId(lane), cpu, kind, depth, label, nests: rows.length === 0 });
    }
    for (const series of answer.counters) {
      if (!isShownCounter(series)) continue;
      plans.set(seriesId(series), {
        id: seriesId(series),
        cpu: series.cpu,
        kind: COUNTER,
        depth: 0,
        label: counterLabel(series),
        nests: false,
      });
    }
  }
  const shown = [...plans.values()]
    .filter((plan) => choice.cpu.length === 0 || plan.cpu === null || choice.cpu.includes(plan.cpu))
    .filter((plan) => !choice.hide.includes(plan.kind))
    .toSorted(byPlace(rankIn(answers)));
  return shown.map(({ nests, ...place }, index) => {
    const above = shown[index - 1];
    const isNested = nests && place.depth > 0 && above?.cpu === place.cpu && above.kind === place.kind;
    const plan = { ...place, isNested, label: isNested ? '' : place.label };
    return above?.cpu === place.cpu ? plan : { ...plan, group: groupName(place.cpu) };
  });
}

/** A row before it is known what is above it; of rows that do not nest, each may be the longest. */
type Place = Omit<LanePlan, 'isNested' | 'group'> & { readonly nests: boolean };

/** Under its own name, for a lane of slices may be about the same thing. */
const counterLabel = ({ name, unit }: CounterSeries) => visibleText(unit === null ? name : `${name} ${unit}`);

const groupName = (cpu: number | null) => (cpu === null ? 'All CPUs' : `CPU ${cpu}`);

function byPlace(rank: (kind: string) => number) {
  return (a: Place, b: Place): number =>
    (a.cpu ?? Infinity) - (b.cpu ?? Infinity) ||
    rank(a.kind) - rank(b.kind) ||
    a.depth - b.depth ||
    a.id.localeCompare(b.id);
}

/** The planned rows with what `answer` has for them. */
export function fillLanes(plans: readonly LanePlan[], answer: TimelineAnswer): readonly PlannedLane[] {
  const lanes = new Map(answer.lanes.map((lane) => [laneId(lane), lane]));
  const counters = new Map(answer.counters.map((series) => [seriesId(series), series]));
  return plans.map((plan) => {
    const lane = lanes.get(plan.id);
    const series = counters.get(plan.id);
    return { ...plan, ...(lane && { lane }), ...(series && { series }) };
  });
}

/** The dictionaries that items of lanes point into. */
export type ItemNames = Pick<TimelineAnswer, 'tasks' | 'symbols' | 'kinds'>;

/** What the item of a lane is called: its task where tasks run, else its interrupt, softirq or idle state. */
export function itemName(lane: TimelineLane, index: number, names: ItemNames): string {
  if (isOfOneTask(lane)) return taskItemName(lane, index, names);
  const task = names.tasks[lane.task_idx?.[index] ?? -1];
  const symbol = names.symbols[lane.symbol_idx?.[index] ?? -1];
  if (isOfTasks(lane, names)) return task ? visibleText(taskLabel(task.comm, task.pid)) : 'unknown task';
  return visibleText(symbol ?? kindOf(lane, names.kinds).lane);
}

/** Whether the item is the idle task on a running lane, which is drawn as empty ground. */
export function isIdleTask(lane: TimelineLane, index: number, names: ItemNames): boolean {
  return isOfTasks(lane, names) && names.tasks[lane.task_idx?.[index] ?? -1]?.pid === 0;
}

/** A point of a counter's step function, with how long it stays. */
export interface CounterReading {
  readonly value: number;
  readonly since: number;
  /** Absent on the last step that was loaded. */
  readonly until?: number;
}

/** The value in force at `at`, or `undefined` before the first. */
export function counterAt(series: CounterSeries, at: number): CounterReading | undefined {
  const index = lastAtOrBefore(series.t, at);
  const value = series.value[index];
  const since = series.t[index];
  if (value === undefined || since === undefined) return undefined;
  const until = series.t[index + 1];
  return { value, since, ...(until !== undefined && { until }) };
}
