import type { CaseEvent, LatencyCase } from '../../api/latencyTypes';
import {
  isOfTasks,
  isOfCpu,
  type CpuLane,
  type TimelineAnswer,
  type TimelineLane,
} from '../../components/lanes/laneAnswer';
import { buildScene, type ItemLook, type LaneRow, type LaneScene } from '../../components/chart/laneScene';
import { itemName, type PlannedLane } from '../../components/lanes/laneModel';
import type { Culprits } from '../../components/ruler/latePart';
import { taskFill, type LaneLook } from '../../components/lanes/timelineScene';
import { taskLabel } from '../../lib/taskKind';
import { visibleText } from '../../lib/visibleText';

/** A task that has a lane of its own: whose case it is, or who woke it. */
export interface CaseTask {
  readonly pid: number;
  readonly comm: string | null;
}

/** What a task did: it ran on a CPU, or it could have run and had none. Where neither is known, it slept. */
export interface TaskStretch {
  readonly start: number;
  readonly end: number;
  /** Absent while it waits. */
  readonly cpu?: number;
  /** How much of the stretch it ran at least, 0..1, where the answer sums up more slices than pixels. */
  readonly ratio?: number;
}

const WAKES: ReadonlySet<string> = new Set(['sched_waking', 'sched_wakeup', 'sched_wakeup_new']);

const wakes = ({ event, args }: CaseEvent, pid: number) => WAKES.has(event) && args['pid'] === pid;

const runs = ({ event, args }: CaseEvent, pid: number) =>
  event === 'sched_switch' && (args['next_pid'] === pid || args['prev_pid'] === pid);

const switchesTo = ({ event, args }: CaseEvent, pid: number) =>
  event === 'sched_switch' && args['next_pid'] === pid;

type Tasked = Pick<LatencyCase, 't' | 'end' | 'pid' | 'comm' | 'events'>;

/** The event that woke the task of the case, within the case: `sched_waking` where it was recorded. */
export function wakingOf({ t, end, pid, events }: Tasked): CaseEvent | undefined {
  if (pid === null || pid === 0) return undefined;
  const woken = events.filter((event) => event.t >= t && event.t <= end && wakes(event, pid));
  return woken.find(({ event }) => event === 'sched_waking') ?? woken[0];
}

/**
 * The task of the case where it came or went in the meantime, and the task that woke it: one that an
 * interrupt happened to find on its CPU woke no task.
 */
export function caseTasks(latencyCase: Tasked): readonly CaseTask[] {
  const { t, end, pid, comm, events } = latencyCase;
  if (pid === null || pid === 0) return [];
  const isInvolved = events.some(
    (event) => event.t >= t && event.t <= end && (wakes(event, pid) || runs(event, pid)),
  );
  if (!isInvolved) return [];
  const waking = wakingOf(latencyCase);
  const isByTask =
    waking !== undefined &&
    waking.pid !== null &&
    waking.pid > 0 &&
    waking.pid !== pid &&
    waking.flags?.['hardirq'] !== true &&
    waking.flags?.['softirq'] !== true;
  return [{ pid, comm }, ...(isByTask ? [{ pid: waking.pid ?? 0, comm: waking.comm }] : [])];
}

/** The CPUs whose lanes a case is read with: where it ended, where it began, and where it was woken from. */
export function caseCpus(latencyCase: Tasked & Pick<LatencyCase, 'cpu' | 'start_cpu'>): readonly number[] {
  const { cpu, start_cpu } = latencyCase;
  return [...new Set([cpu, start_cpu ?? cpu, wakingOf(latencyCase)?.cpu ?? cpu])];
}

/** What the task did, in order of time: from the lanes of all CPUs where it ran, from events where it waited. */
export function taskStretches(
  { pid }: CaseTask,
  answer: TimelineAnswer,
  events: readonly CaseEvent[],
): readonly TaskStretch[] {
  const ran = answer.lanes
    .filter(isOfCpu)
    .filter((lane) => isOfTasks(lane, answer))
    .flatMap((lane) =>
      lane.t.flatMap((_, at): readonly TaskStretch[] =>
        answer.tasks[lane.task_idx[at] ?? -1]?.pid === pid ? [stretchAt(lane, at)] : [],
      ),
    )
    .toSorted((a, b) => a.start - b.start);
  const exact = ran.filter(({ ratio }) => ratio === undefined);
  const comes = [
    ...exact.map(({ start }) => start),
    ...events.filter((event) => switchesTo(event, pid)).map(({ t }) => t),
  ];
  const waits: TaskStretch[] = [];
  for (const event of events) {
    const isPreempted =
      event.event === 'sched_switch' &&
      event.args['prev_pid'] === pid &&
      String(event.args['prev_state']).startsWith('R');
    if (!isPreempted && !wakes(event, pid)) continue;
    const isKnown = (waits.at(-1)?.end ?? -Infinity) > event.t;
    const isRunning = exact.some(({ start, end }) => start <= event.t && event.t < end);
    const next = comes.reduce((first, at) => (at >= event.t && at < first ? at : first), Infinity);
    if (!isKnown && !isRunning && next < Infinity) waits.push({ start: event.t, end: next });
  }
  return [...ran, ...waits].toSorted((a, b) => a.start - b.start);
}

/** A slice, or a bucket, of which the task ran its longest slice. */
function stretchAt(lane: CpuLane, at: number): TaskStretch {
  const start = lane.t[at] ?? 0;
  const duration = lane.duration_ns[at] ?? 0;
  const stretch = { start, end: start + duration, cpu: lane.cpu };
  if (lane.detail !== 'buckets') return stretch;
  return { ...stretch, ratio: Math.min(1, (lane.max_ns?.[at] ?? 0) / Math.max(1, duration)) };
}

/** The roles in a case: whose latency it is, and what it was late because of. */
export interface Roles {
  readonly victim: number | null;
  readonly culprits: Culprits;
  /** The case; outside of it nothing is marked as a culprit. */
  readonly within: { readonly t: number; readonly end: number };
}

/**
 * `scene` with the slices of the task that waited drawn as outlines, and those of what it waited for in the colour of
 * what is late: by their names only they might look alike.
 */
export function withRoles(
  scene: LaneScene,
  lanes: readonly PlannedLane[],
  answer: TimelineAnswer,
  { victim, culprits, within }: Roles,
  { palette }: LaneLook,
): LaneScene {
  const late = scene.fills.length;
  const rows = scene.rows.map((row, at): LaneRow => {
    const lane = lanes[at]?.lane;
    if (lane === undefined) return row;
    const isOfCulprit = isOfTasks(lane, answer)
      ? (item: number) => culprits.pids.has(pidAt(lane, item, answer))
      : (item: number) => culprits.handlers.has(itemName(lane, item, answer));
    const isWithin = (item: number) => {
      const start = lane.t[item] ?? 0;
      return start < within.end && start + (lane.duration_ns[item] ?? 0) > within.t;
    };
    const fill = row.items.fill.map((own, item) => (isWithin(item) && isOfCulprit(item) ? late : own));
    if (!isOfTasks(lane, answer) || lane.detail === 'buckets') {
      return { ...row, items: { ...row.items, fill } };
    }
    const look = fill.map((_, item): ItemLook => {
      const pid = pidAt(lane, item, answer);
      return pid > 0 && pid === victim ? 'outlined' : 'filled';
    });
    return { ...row, items: { ...row.items, fill, look } };
  });
  return { ...scene, rows, fills: [...scene.fills, palette.late] };
}

const pidAt = (lane: TimelineLane, item: number, { tasks }: TimelineAnswer) =>
  tasks[lane.task_idx?.[item] ?? -1]?.pid ?? 0;

const indexIn = (known: string[], text: string) => known.push(text) - 1;

/** `scene` with a row for each of the tasks under the rows that it has. */
export function withTaskRows(
  scene: LaneScene,
  tasks: readonly CaseTask[],
  stretchesOf: (task: CaseTask) => readonly TaskStretch[],
  theme: LaneLook,
  rowPx: number,
): LaneScene {
  const fills = [...scene.fills];
  const texts = [...scene.texts];
  const rows = tasks.map((task): LaneRow => {
    const stretches = stretchesOf(task);
    const [running, waiting] = [indexIn(fills, taskFill(task, theme)), indexIn(fills, theme.palette.quiet)];
    return {
      id: `task-${task.pid}`,
      group: visibleText(taskLabel(task.comm, task.pid)),
      label: '',
      height: rowPx,
      items: {
        start: stretches.map(({ start }) => start),
        duration: stretches.map(({ start, end }) => end - start),
        fill: stretches.map(({ cpu }) => (cpu === undefined ? waiting : running)),
        look: stretches.map(({ cpu }) => (cpu === undefined ? 'outlined' : 'filled')),
        level: stretches.map(({ ratio }) => ratio ?? 1),
        text: stretches.map((stretch) => indexIn(texts, stretchText(stretch))),
      },
    };
  });
  return buildScene({
    rows: [...scene.rows, ...rows],
    fills,
    texts,
    bands: scene.bands,
    groupGap: 6,
    showsShares: true,
  });
}

/** What a stretch is, in the words that are written on it. */
export function stretchText({ cpu, ratio }: TaskStretch): string {
  if (cpu === undefined) return 'waits for a CPU';
  return ratio === undefined ? `runs on CPU ${cpu}` : `runs on CPU ${cpu} now and then`;
}
