import type { CaseEvent, LatencyCase } from '../../api/latencyTypes';
import type { TimelineAnswer } from '../../components/lanes/laneAnswer';
import { buildScene, type ItemLook, type LaneRow, type LaneScene } from '../../components/chart/laneScene';
import type { PlannedLane } from '../../components/lanes/laneModel';
import { isOfTasks } from '../../components/lanes/sliceKinds';
import type { LaneLook } from '../../components/lanes/timelineScene';
import { taskColour } from '../../lib/colour';
import { isKernelThread, taskLabel } from '../../lib/taskKind';
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
}

const WAKES: ReadonlySet<string> = new Set(['sched_waking', 'sched_wakeup', 'sched_wakeup_new']);

const wakes = ({ event, args }: CaseEvent, pid: number) => WAKES.has(event) && args['pid'] === pid;

const runs = ({ event, args }: CaseEvent, pid: number) =>
  event === 'sched_switch' && (args['next_pid'] === pid || args['prev_pid'] === pid);

type Tasked = Pick<LatencyCase, 't' | 'end' | 'pid' | 'comm' | 'events'>;

/** The event that woke the task of the case, within the case: `sched_waking` where it was recorded. */
export function wakingOf({ t, end, pid, events }: Tasked): CaseEvent | undefined {
  if (pid === null || pid === 0) return undefined;
  const woken = events.filter((event) => event.t >= t && event.t <= end && wakes(event, pid));
  return woken.find(({ event }) => event === 'sched_waking') ?? woken[0];
}

/**
 * The task of the case where it came or went meanwhile, and the task that woke it: one that an interrupt
 * happened to find on its CPU woke nobody.
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
    .filter((lane) => isOfTasks(lane, answer) && lane.detail !== 'buckets')
    .flatMap((lane) =>
      lane.t.flatMap((start, at): readonly TaskStretch[] =>
        answer.tasks[lane.task_idx[at] ?? -1]?.pid === pid
          ? [{ start, end: start + (lane.duration_ns[at] ?? 0), cpu: lane.cpu }]
          : [],
      ),
    )
    .toSorted((a, b) => a.start - b.start);
  const waits: TaskStretch[] = [];
  for (const event of events) {
    const isPreempted =
      event.event === 'sched_switch' &&
      event.args['prev_pid'] === pid &&
      String(event.args['prev_state']).startsWith('R');
    if (!isPreempted && !wakes(event, pid)) continue;
    const isKnown = (waits.at(-1)?.end ?? -Infinity) > event.t;
    const isRunning = ran.some(({ start, end }) => start <= event.t && event.t < end);
    const next = ran.find(({ start }) => start >= event.t);
    if (!isKnown && !isRunning && next !== undefined) waits.push({ start: event.t, end: next.start });
  }
  return [...ran, ...waits].toSorted((a, b) => a.start - b.start);
}

/**
 * `scene` with the slices of the task that waited drawn as outlines: another thread of its name has its colour, and
 * may be what it waited for.
 */
export function outlined(
  scene: LaneScene,
  lanes: readonly PlannedLane[],
  answer: TimelineAnswer,
  pid: number | null,
): LaneScene {
  const rows = scene.rows.map((row, at): LaneRow => {
    const lane = lanes[at]?.lane;
    if (pid === null || lane === undefined || lane.detail === 'buckets' || !isOfTasks(lane, answer))
      return row;
    const look = lane.task_idx.map((task): ItemLook =>
      answer.tasks[task ?? -1]?.pid === pid ? 'outlined' : 'filled',
    );
    return { ...row, items: { ...row.items, look } };
  });
  return { ...scene, rows };
}

const indexIn = (known: string[], text: string) => known.push(text) - 1;

/** `scene` with a row for each of the tasks under the rows that it has. */
export function withTaskRows(
  scene: LaneScene,
  tasks: readonly CaseTask[],
  stretchesOf: (task: CaseTask) => readonly TaskStretch[],
  { name, palette }: LaneLook,
  rowPx: number,
): LaneScene {
  const fills = [...scene.fills];
  const texts = [...scene.texts];
  const rows = tasks.map((task): LaneRow => {
    const stretches = stretchesOf(task);
    const comm = task.comm ?? '';
    const colour = isKernelThread(comm) ? palette.kernelThread : taskColour(comm, name);
    const [running, waiting] = [indexIn(fills, colour), indexIn(fills, palette.quiet)];
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
        text: stretches.map((stretch) => indexIn(texts, stretchText(stretch))),
      },
    };
  });
  return buildScene({ rows: [...scene.rows, ...rows], fills, texts, bands: scene.bands, groupGap: 6 });
}

/** What a stretch is, in the words that are written on it. */
export function stretchText({ cpu }: TaskStretch): string {
  return cpu === undefined ? 'waits for a CPU' : `runs on CPU ${cpu}`;
}
