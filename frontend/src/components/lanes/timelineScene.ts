import {
  isOfTasks,
  kindOf,
  type CounterSeries,
  type LaneTask,
  type Loss,
  type TimelineAnswer,
  type TimelineLane,
} from './laneAnswer';
import {
  buildScene,
  busyShares,
  IndexedTexts,
  type LaneBand,
  type LaneItems,
  type LaneRow,
  type LaneScene,
  MOST_ROW_PX,
  rowHeight,
  type LaneSteps,
} from '../chart/laneScene';
import { fromOklch, taskColour, type ThemeName } from '../../lib/colour';
import { frequencyText } from '../../lib/frequency';
import { groupDigits } from '../../lib/ns';
import type { Palette } from '../../lib/palette';
import { isKernelThread } from '../../lib/taskKind';
import { visibleText } from '../../lib/visibleText';
import { isIdleTask, itemName, type ItemNames, type PlannedLane } from './laneModel';
import { isOfOneTask, taskItems, type TaskInks, type TaskLane } from './taskLanes';

export interface LaneLook {
  readonly name: ThemeName;
  readonly palette: Palette;
}

// Interrupts that nest are rare, and empty rows for them would push the other CPUs out of sight.
const NESTED_LANE_PX = 8;
const GROUP_GAP_PX = 6;

/** Pixels for the rows: of all, which they share, or of each. */
export interface LaneRoom {
  readonly room?: number;
  readonly lanePx?: number | undefined;
  /** Pixels of a row of tasks at its highest, where something else has the room that is left. */
  readonly taskPx?: number | undefined;
}

/**
 * The scene of the planned rows: which colour and text each item of the answer gets. Where there is `room` in pixels,
 * rows grow to fill it, unless each has its height.
 */
export function timelineScene(
  lanes: readonly PlannedLane[],
  answer: TimelineAnswer,
  look: LaneLook,
  { room = 0, lanePx: chosenPx, taskPx }: LaneRoom = {},
): LaneScene {
  const fills = new IndexedTexts();
  const texts = new IndexedTexts();
  const marks = itemMarks(answer, look, fills, texts);
  const heightOf = chosenPx === undefined ? laneHeights(lanes, answer, room, taskPx) : () => chosenPx;
  const scales = counterScales(answer.counters);
  const stepFills = { fill: fills.indexOf(look.palette.line), line: fills.indexOf(look.palette.quiet) };
  const rows = lanes.map((planned): LaneRow => {
    const { id, label, group, isNested, lane, series } = planned;
    const scale = series && scales.get(series.name);
    return {
      id,
      label,
      ...(group !== undefined && { group }),
      height: isNested ? NESTED_LANE_PX : heightOf(planned),
      ...hatching(kindOf(planned, answer.kinds).colour),
      items: lane ? laneItems(lane, marks) : NOTHING,
      ...(series && scale && { steps: { ...scale, at: series.t, value: series.value, ...stepFills } }),
    };
  });
  return buildScene({
    rows,
    fills: fills.all,
    texts: texts.all,
    bands: answer.losses.flatMap((loss) => lossBands(loss, lanes)),
    groupGap: GROUP_GAP_PX,
    showsShares: true,
  });
}

/** What runs is what one looks for: where room is left, the rows of tasks take it. Two of these fill a wall. */
export const MOST_TASK_LANE_PX = 368;
/**
 * A single one would leave most of a wall empty, as if the page had not loaded. So rows of tasks may exceed that
 * height until they fill this share of the room. More would gain nothing: a row is read by its colours and one line
 * of text, and the blank space below shows that there are no more lanes.
 */
const LEAST_FILLED = 0.7;
/** Pixels of all rows at their highest, those of tasks at `taskPx`. */
export function mostLanesPx(
  lanes: readonly PlannedLane[],
  answer: Pick<TimelineAnswer, 'kinds'>,
  taskPx: number,
): number {
  const heightOf = laneHeights(lanes, answer, Infinity, taskPx);
  const gaps = lanes.filter(({ group }, index) => group !== undefined && index > 0).length * GROUP_GAP_PX;
  return lanes.reduce((sum, lane) => sum + (lane.isNested ? NESTED_LANE_PX : heightOf(lane)), gaps);
}

/** How high each row is that is not nested. */
function laneHeights(
  lanes: readonly PlannedLane[],
  { kinds }: Pick<TimelineAnswer, 'kinds'>,
  room: number,
  taskPx: number | undefined,
): (lane: PlannedLane) => number {
  const rows = lanes.filter(({ isNested }) => !isNested);
  const nestedCount = lanes.length - rows.length;
  const gapCount = lanes.filter(({ group }, index) => group !== undefined && index > 0).length;
  const rest = room - nestedCount * NESTED_LANE_PX - gapCount * GROUP_GAP_PX;
  const lanePx = rowHeight(rest, rows.length);
  const isOfTask = (lane: PlannedLane) => lane.pid !== undefined || isOfTasks(lane, { kinds });
  const growing = Math.max(1, rows.filter(isOfTask).length);
  const share = Math.floor((rest - lanePx * rows.length) / growing);
  const mostPx = taskPx ?? Math.max(MOST_TASK_LANE_PX, Math.floor((LEAST_FILLED * rest) / growing));
  const grownPx = Math.max(lanePx, Math.min(mostPx, lanePx + share));
  // While all have less than their most, what is left over is of rounding.
  return (lane) => (lanePx === MOST_ROW_PX && isOfTask(lane) ? grownPx : lanePx);
}

/** One thin row for each CPU's running tasks, within `height` pixels. */
export function minimapScene(overview: TimelineAnswer, height: number, look: LaneLook): LaneScene {
  const running = overview.lanes.filter((lane) => isOfTasks(lane, overview));
  // Without scheduling events there may still be interrupts to find one's way by.
  const lanes = running.length > 0 ? running : overview.lanes.filter((lane) => lane.depth === 0);
  const fills = new IndexedTexts();
  const marks = itemMarks(overview, look, fills, new IndexedTexts());
  const heightPx = Math.max(1, Math.min(16, Math.floor(height / Math.max(1, lanes.length))));
  const rows = lanes.map((lane): LaneRow => {
    const { text: _, ...items } = laneItems(lane, marks);
    return { id: lane.id, label: '', height: heightPx, items };
  });
  return buildScene({ rows, fills: fills.all, texts: [], showsShares: true });
}

/** What keeps others out without running itself is hatched: the more it keeps out, the denser. */
function hatching(colour: string): Pick<LaneRow, 'hatchPx'> {
  if (colour === 'irqs_off') return { hatchPx: 4 };
  return colour === 'preempt_off' ? { hatchPx: 8 } : {};
}

const NOTHING: LaneItems = { start: [], duration: [], fill: [] };

/** The colour and the text of an item of a CPU's lane, by number; both absent where it stays empty. */
interface ItemMark {
  readonly fill?: number;
  readonly text?: number;
}

/** What the lanes of one answer are drawn with. */
interface ItemMarks {
  readonly ofItem: (lane: TimelineLane, item: number) => ItemMark;
  readonly ofTask: (lane: TaskLane) => LaneItems;
}

/**
 * Marks by the name that an item goes by: an answer has hundreds of thousands of items, of a few hundred names, and a
 * colour or a text takes far longer to work out than to look up.
 */
function itemMarks(names: ItemNames, look: LaneLook, fills: IndexedTexts, texts: IndexedTexts): ItemMarks {
  const byKind = new Map<string, { readonly isOfTasks: boolean; readonly marks: ItemMark[] }>();
  const markOf = (lane: TimelineLane, item: number): ItemMark =>
    isIdleTask(lane, item, names)
      ? {}
      : {
          fill: fills.indexOf(itemColour(lane, item, names, look)),
          text: texts.indexOf(itemName(lane, item, names)),
        };
  return {
    ofItem: (lane, item) => {
      let known = byKind.get(lane.kind);
      if (known === undefined)
        byKind.set(lane.kind, (known = { isOfTasks: isOfTasks(lane, names), marks: [] }));
      const name = (known.isOfTasks ? lane.task_idx : lane.symbol_idx)?.[item] ?? -1;
      return (known.marks[name + 1] ??= markOf(lane, item));
    },
    ofTask: (lane) => taskItems(lane, names, taskInks(lane.task, look), fills, texts),
  };
}

function laneItems(lane: TimelineLane, { ofItem, ofTask }: ItemMarks): LaneItems {
  if (isOfOneTask(lane)) return ofTask(lane);
  const marks = lane.t.map((_, item) => ofItem(lane, item));
  const columns = { start: lane.t, duration: lane.duration_ns, fill: marks.map(({ fill }) => fill) };
  if (lane.detail === 'buckets') return { ...columns, level: busyShares(lane) };
  return { ...columns, text: marks.map(({ text }) => text) };
}

function taskInks(task: LaneTask, look: LaneLook): TaskInks {
  const { quiet, irq, softirq, good: boost } = look.palette;
  return { running: taskFill(task, look), waiting: quiet, irq, softirq, boost };
}

/** What colour an item has on its lane. */
export function itemColour(
  lane: TimelineLane,
  index: number,
  names: ItemNames,
  { name, palette }: LaneLook,
): string {
  const symbol = names.symbols[lane.symbol_idx?.[index] ?? -1] ?? '';
  switch (kindOf(lane, names.kinds).colour) {
    case 'task':
      return taskFill(names.tasks[lane.task_idx?.[index] ?? -1], { name, palette });
    case 'source':
      return noiseColour(symbol, name, palette);
    case 'state':
      return idleColour(symbol, name);
    case 'irq':
      return palette.irq;
    case 'softirq':
      return palette.softirq;
    case 'irqs_off':
      return palette.irqsOff;
    case 'preempt_off':
      return palette.preemptOff;
    default:
      return palette.otherSlice;
  }
}

/** `irq local_timer:236`, `softirq RCU:9`, `thread bash-183`, `nmi`, `hardware`: in the colour of what it was. */
function noiseColour(source: string, theme: ThemeName, palette: Palette): string {
  const [, comm, pid] = /^thread (.*?)(?:-(\d+))?$/.exec(source) ?? [];
  if (comm !== undefined) return taskFill({ comm, pid: Number(pid ?? 0) }, { name: theme, palette });
  if (source.startsWith('softirq')) return palette.softirq;
  return source.startsWith('irq') || source.startsWith('nmi') ? palette.irq : palette.loss;
}

/** The colour of a task wherever it is drawn: kernel threads share one. */
export function taskFill(
  task: { readonly comm: string | null; readonly pid: number | null } | undefined,
  { name, palette }: LaneLook,
): string {
  if (task === undefined) return palette.otherSlice;
  const comm = task.comm ?? '<...>';
  return isKernelThread(comm) ? palette.kernelThread : taskColour(comm, name, task.pid);
}

/** Greys that lead away from the ground's as the state gets deeper: `state=3` sleeps deeper than `state=1`. */
function idleColour(state: string, theme: ThemeName): string {
  const depth = Math.min(8, Number(/\d+/.exec(state)?.[0] ?? 0));
  return theme === 'dark'
    ? fromOklch(0.6 + 0.02 * depth, 0.015, 250)
    : fromOklch(0.88 - 0.025 * depth, 0.015, 250);
}

type Scale = Pick<LaneSteps, 'min' | 'max' | 'minText' | 'maxText'>;

/** The scales of counters by name, from zero on: one for all CPUs, whose rows are compared. */
function counterScales(counters: readonly CounterSeries[]): ReadonlyMap<string, Scale> {
  const scales = new Map<string, Scale>();
  for (const { name, unit, value } of counters) {
    const { min: low = 0, max: high = 1 } = scales.get(name) ?? {};
    const min = value.reduce((least, one) => Math.min(least, one), low);
    const max = value.reduce((most, one) => Math.max(most, one), high);
    scales.set(name, { min, max, minText: groupDigits(min), maxText: valueText(max, unit) });
  }
  return scales;
}

function valueText(value: number, unit: string | null): string {
  if (unit === 'kHz') return frequencyText(value);
  return visibleText(unit === null ? groupDigits(value) : `${groupDigits(value)}\u202f${unit}`);
}

/** Lost events hatch every row of their CPU, or all rows where the trace does not say which CPU lost them. */
function lossBands({ cpu, start, end }: Loss, lanes: readonly PlannedLane[]): readonly LaneBand[] {
  const bands: LaneBand[] = [];
  for (const [row, lane] of lanes.entries()) {
    if (cpu !== null && lane.cpu !== cpu) continue;
    const last = bands.at(-1);
    // Somebody may have put rows of other CPUs between.
    if (last?.lastRow === row - 1) bands.splice(-1, 1, { ...last, lastRow: row });
    else bands.push({ start, end, firstRow: row, lastRow: row, kind: 'loss' });
  }
  return bands;
}
