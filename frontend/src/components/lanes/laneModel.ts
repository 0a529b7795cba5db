import type { CounterSeries, TaskName, TimelineAnswer, TimelineLane } from './laneAnswer';
import { lastAtOrBefore } from '../chart/laneScene';
import { taskLabel } from '../../lib/taskKind';
import { visibleText } from '../../lib/visibleText';
import { LANE_KINDS, type LaneKind } from '../../viewState/timeline';

/** One row of the timeline, whether or not anything is on it in the window in sight. */
export interface LanePlan {
  /** `cpu0.sched.0`, `cpu0.counter.cpu_frequency`. */
  readonly id: string;
  readonly cpu: number | null;
  readonly kind: LaneKind;
  readonly depth: number;
  /** Under a row of the same kind: what it shows is rare. A kind that has nested slices alone has none above them. */
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
  readonly hide: readonly LaneKind[];
}

const LABELS: Record<LaneKind, string> = {
  sched: 'running',
  irq: 'irq',
  softirq: 'softirq',
  irqsoff: 'irqs off',
  preemptoff: 'preempt off',
  noise: 'noise',
  idle: 'idle',
  counter: '',
};

const isLaneKind = (kind: string): kind is LaneKind => LANE_KINDS.some((known) => known === kind);

const laneId = (lane: TimelineLane) => `cpu${lane.cpu}.${lane.kind}.${lane.depth}`;
const seriesId = (series: CounterSeries) => `cpu${series.cpu ?? ''}.counter.${series.name}`;

/** `cpu_idle` says as a number what the idle lane says by name. */
const isShownCounter = (series: CounterSeries) => series.name !== 'cpu_idle';

/** The kinds of lanes that a trace has anything on, in the order in which they are drawn. */
export function presentKinds(answers: readonly TimelineAnswer[]): readonly LaneKind[] {
  const present = new Set<string>(answers.flatMap((answer) => answer.lanes.map((lane) => lane.kind)));
  if (answers.some((answer) => answer.counters.some(isShownCounter))) present.add('counter');
  return LANE_KINDS.filter((kind) => present.has(kind));
}

/**
 * The rows for everything that occurs in any of the answers, by CPU, then kind, then depth. Made from the whole
 * trace and the window together, so that rows neither come nor go while the window moves.
 */
export function planLanes(answers: readonly TimelineAnswer[], choice: LaneChoice): readonly LanePlan[] {
  const plans = new Map<string, Place>();
  for (const answer of answers) {
    for (const lane of answer.lanes) {
      if (!isLaneKind(lane.kind)) continue;
      const { cpu, depth } = lane;
      plans.set(laneId(lane), { id: laneId(lane), cpu, kind: lane.kind, depth, label: LABELS[lane.kind] });
    }
    for (const series of answer.counters) {
      if (!isShownCounter(series)) continue;
      plans.set(seriesId(series), {
        id: seriesId(series),
        cpu: series.cpu,
        kind: 'counter',
        depth: 0,
        label: counterLabel(series),
      });
    }
  }
  const shown = [...plans.values()]
    .filter((plan) => choice.cpu.length === 0 || plan.cpu === null || choice.cpu.includes(plan.cpu))
    .filter((plan) => !choice.hide.includes(plan.kind))
    .toSorted(byPlace);
  return shown.map((place, index) => {
    const above = shown[index - 1];
    const isNested = place.depth > 0 && above?.cpu === place.cpu && above.kind === place.kind;
    const plan = { ...place, isNested, label: isNested ? '' : place.label };
    return above?.cpu === place.cpu ? plan : { ...plan, group: groupName(place.cpu) };
  });
}

/** A row before it is known what stands above it. */
type Place = Omit<LanePlan, 'isNested' | 'group'>;

/** Under its own name, for a lane of slices may be about the same thing. */
const counterLabel = ({ name, unit }: CounterSeries) => visibleText(unit === null ? name : `${name} ${unit}`);

const groupName = (cpu: number | null) => (cpu === null ? 'All CPUs' : `CPU ${cpu}`);

function byPlace(a: Place, b: Place): number {
  return (
    (a.cpu ?? Infinity) - (b.cpu ?? Infinity) ||
    LANE_KINDS.indexOf(a.kind) - LANE_KINDS.indexOf(b.kind) ||
    a.depth - b.depth ||
    a.id.localeCompare(b.id)
  );
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

export interface ItemNames {
  readonly tasks: readonly TaskName[];
  readonly symbols: readonly string[];
}

/** What the item of a lane is called: its task on a running lane, else its interrupt, softirq or idle state. */
export function itemName(lane: TimelineLane, index: number, { tasks, symbols }: ItemNames): string {
  const task = tasks[lane.task_idx?.[index] ?? -1];
  const symbol = symbols[lane.symbol_idx?.[index] ?? -1];
  if (lane.kind === 'sched') return task ? visibleText(taskLabel(task.comm, task.pid)) : 'unknown task';
  return visibleText(symbol ?? lane.kind);
}

/** Whether the item is the idle task on a running lane, which is drawn as empty ground. */
export function isIdleTask(lane: TimelineLane, index: number, { tasks }: ItemNames): boolean {
  return lane.kind === 'sched' && tasks[lane.task_idx?.[index] ?? -1]?.pid === 0;
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
