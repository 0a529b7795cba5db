import type { CallLane, CallsAnswer } from './flameAnswer';
import type { LaneHit } from '../chart/LaneChart';
import {
  buildScene,
  busyShares,
  IndexedTexts,
  lastAtOrBefore,
  mostRowPx,
  rowHeight,
  type ItemLook,
  type LaneRow,
  type LaneScene,
} from '../chart/laneScene';
import type { TimeWindow } from '../chart/timeWindow';
import { symbolColour, type ThemeName } from '../../lib/colour';
import { taskLabel } from '../../lib/taskKind';
import { visibleText } from '../../lib/visibleText';

/** A row of the flame chart: one CPU or task at one depth. */
export interface CallRow {
  readonly id: string;
  readonly depth: number;
  readonly group: string;
  readonly lane: CallLane | undefined;
}

const GROUP_GAP_PX = 8;

/**
 * The rows by CPU or task, each from its outermost depth inwards, as deep as it gets in any of the answers, so that
 * rows stay where they are while the window moves. `lane` is what the last answer has for the row. A task without calls
 * in the last answer has none, because dozens of empty ones would leave no room for those that have some; the answer
 * reaches beyond the window, so that they come and go out of sight. Until then a task without calls in the `window` keeps
 * only its outermost row: as deep as its neighbours it would leave half of the page blank.
 */
export function callRows(answers: readonly CallsAnswer[], window?: TimeWindow): readonly CallRow[] {
  const shown = answers.at(-1);
  const inSight = new Set(shown?.lanes.map((lane) => groupName(lane, shown)));
  const shallow = shown && window ? groupsOutside(shown, window) : new Set<string>();
  const rows = new Map<string, CallRow>();
  for (const answer of answers) {
    for (const lane of answer.lanes) {
      const group = groupName(lane, answer);
      const isIdleTask = (lane.lane_task_idx ?? undefined) !== undefined && !inSight.has(group);
      if (isIdleTask || (lane.depth > 0 && shallow.has(group))) continue;
      const id = `${lane.id}.${lane.depth}`;
      rows.set(id, {
        id,
        depth: lane.depth,
        group,
        lane: answer === shown ? lane : undefined,
      });
    }
  }
  const order = [...rows.values()].map((row) => row.group);
  return [...rows.values()].toSorted((a, b) => groupOrder(a, b, order) || a.depth - b.depth);
}

/** The tasks without a call in the window, where others have some. */
function groupsOutside(shown: CallsAnswer, { start, end }: TimeWindow): ReadonlySet<string> {
  const isInside = ({ t, duration_ns: duration }: CallLane) => {
    const last = lastAtOrBefore(t, end - 1);
    return (t[last] ?? -Infinity) + (duration[last] ?? 0) >= start;
  };
  const inside = new Set(shown.lanes.filter(isInside).map((lane) => groupName(lane, shown)));
  if (inside.size === 0) return new Set();
  const tasks = shown.lanes.filter((lane) => (lane.lane_task_idx ?? undefined) !== undefined);
  return new Set(tasks.map((lane) => groupName(lane, shown)).filter((group) => !inside.has(group)));
}

const groupOrder = (a: CallRow, b: CallRow, order: readonly string[]) =>
  a.group === b.group ? 0 : a.group.localeCompare(b.group, 'en', { numeric: true }) || order.indexOf(a.group);

function groupName(lane: CallLane, answer: CallsAnswer): string {
  const task = answer.tasks[lane.lane_task_idx ?? -1];
  if (task && task.pid !== 0) return visibleText(taskLabel(task.comm, task.pid));
  return `CPU ${lane.cpu ?? task?.cpu ?? '?'}`;
}

/** What is searched: all that does not match steps back to `muted`. */
export interface FlameSearch {
  readonly q: string;
  readonly muted: string;
}

/** Whether a search for `q` finds a function; nothing searched finds all. */
export const isFoundBy = (q: string, symbol: string): boolean =>
  q === '' || symbol.toLowerCase().includes(q.toLowerCase());

/** What a search does not find is nearly as dark or light as the ground, and takes its ink. */
export const searchLook = (symbol: string, q: string): ItemLook =>
  isFoundBy(q, symbol) ? 'filled' : 'faint';

/** The scene of the rows: functions in the colours of their names. Where there is `room` in pixels, rows grow to fill it. */
export function flameScene(
  rows: readonly CallRow[],
  answer: CallsAnswer,
  theme: ThemeName,
  room = 0,
  search?: FlameSearch,
): LaneScene {
  const fills = new IndexedTexts();
  const colourOf = (symbol: string) =>
    search && !isFoundBy(search.q, symbol) ? search.muted : symbolColour(symbol, theme);
  const texts = new IndexedTexts();
  const gaps = GROUP_GAP_PX * (new Set(rows.map(({ group }) => group)).size - 1);
  const height = rowHeight(room - gaps, rows.length, mostRowPx(room));
  const drawn = rows.map((row, index): LaneRow => {
    const { lane } = row;
    const outer = rows[index - 1];
    const isFirst = outer?.group !== row.group;
    return {
      id: row.id,
      label: '',
      height,
      ...(isFirst && { group: row.group }),
      items: lane
        ? callItems(lane, answer, { colourOf, q: search?.q ?? '' }, fills, texts)
        : { start: [], duration: [], fill: [] },
    };
  });
  return buildScene({ rows: drawn, fills: fills.all, texts: texts.all, groupGap: GROUP_GAP_PX });
}

function callItems(
  lane: CallLane,
  { symbols }: CallsAnswer,
  { colourOf, q }: { readonly colourOf: (symbol: string) => string; readonly q: string },
  fills: IndexedTexts,
  texts: IndexedTexts,
) {
  const names = lane.symbol_idx.map((symbol) => symbols[symbol ?? -1] ?? '?');
  const fill = names.map((name) => fills.indexOf(colourOf(name)));
  const columns = { start: lane.t, duration: lane.duration_ns, fill };
  if (lane.detail === 'buckets') return { ...columns, level: busyShares(lane) };
  const look = names.map((name) => searchLook(name, q));
  return { ...columns, look, text: names.map((name) => texts.indexOf(visibleText(name))) };
}

/** The public id of the call that was hit; of a bucket there is none. */
export function callIdAt(rows: readonly CallRow[], hit: LaneHit): string | undefined {
  const lane = rows[hit.row]?.lane;
  return hit.item === undefined ? undefined : (lane?.call_id?.[hit.item] ?? undefined);
}

/** The stretch of the call that was hit; of a bucket, that of its longest call, which is what one wants to see. */
export function callStretch(rows: readonly CallRow[], { row, item }: LaneHit): TimeWindow | undefined {
  const lane = rows[row]?.lane;
  if (lane === undefined || item === undefined) return undefined;
  const isBucket = lane.detail === 'buckets';
  const start = (isBucket ? lane.max_start?.[item] : lane.t[item]) ?? 0;
  const duration = (isBucket ? lane.max_ns?.[item] : lane.duration_ns[item]) ?? 0;
  return { start, end: start + duration };
}

/** Where the call with this id is drawn now, if it is. */
export function findCall(rows: readonly CallRow[], id: string): LaneHit | undefined {
  for (const [row, { lane }] of rows.entries()) {
    const item = lane?.call_id?.indexOf(id) ?? -1;
    if (item >= 0) return { row, item, at: lane?.t[item] ?? 0 };
  }
  return undefined;
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The call beside, around or inside the one at `from`. */
export function neighbourCall(
  rows: readonly CallRow[],
  from: LaneHit,
  direction: Direction,
): LaneHit | undefined {
  const lane = rows[from.row]?.lane;
  if (lane === undefined || from.item === undefined) return undefined;
  if (direction === 'left' || direction === 'right') {
    const item = from.item + (direction === 'left' ? -1 : 1);
    const at = lane.t[item];
    return at === undefined ? undefined : { row: from.row, item, at };
  }
  const row = from.row + (direction === 'up' ? -1 : 1);
  const target = rows[row]?.group === rows[from.row]?.group ? rows[row]?.lane : undefined;
  if (target === undefined) return undefined;
  const start = lane.t[from.item] ?? from.at;
  const item = direction === 'up' ? lastAtOrBefore(target.t, start) : target.t.findIndex((t) => t >= start);
  const at = target.t[item];
  return at === undefined ? undefined : { row, item, at };
}
