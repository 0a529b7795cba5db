import type { TimelineAnswer as ServerAnswer, TimelineLane as ServerLane } from '../../../api/lanes';
import { lastAtOrBefore } from '../../../components/chart/laneScene';

/**
 * An answer about some CPUs with the lanes of all others as `whole` has them, which is about the whole trace: coarser,
 * but there as soon as one scrolls to them.
 */
export function withOtherCpus(answer: ServerAnswer, whole: ServerAnswer | undefined): ServerAnswer {
  const { onlyCpus } = answer;
  if (onlyCpus === undefined || whole === undefined) return answer;
  const asked = new Set(onlyCpus);
  const isOther = ({ cpu }: { readonly cpu: number | null }) => cpu === null || !asked.has(cpu);
  const [tasks, symbols] = [answer.tasks.length, answer.symbols.length];
  const others = whole.lanes
    .filter((lane) => lane.cpu !== null && isOther(lane))
    .map((lane): ServerLane => {
      const seen = stretchOf(lane, answer);
      return {
        ...seen,
        task_idx: shifted(seen.task_idx, tasks),
        symbol_idx: shifted(seen.symbol_idx, symbols),
      };
    });
  return {
    ...answer,
    tasks: [...answer.tasks, ...whole.tasks],
    symbols: [...answer.symbols, ...whole.symbols],
    lanes: [...answer.lanes, ...others],
    counters: [...answer.counters, ...whole.counters.filter(isOther)],
  };
}

/** The lane with the rows that touch a window alone. */
function stretchOf(lane: ServerLane, window: { readonly start: number; readonly end: number }): ServerLane {
  const from = Math.max(0, lastAtOrBefore(lane.t, window.start));
  const to = lastAtOrBefore(lane.t, window.end) + 1;
  const cut = <T>(column: readonly T[]) => column.slice(from, to);
  const maybe = <T>(column: readonly T[] | null | undefined) => (column ? cut(column) : null);
  return {
    ...lane,
    t: cut(lane.t),
    duration_ns: cut(lane.duration_ns),
    task_idx: cut(lane.task_idx),
    symbol_idx: cut(lane.symbol_idx),
    self_ns: maybe(lane.self_ns),
    flags: maybe(lane.flags),
    count: maybe(lane.count),
    busy_ns: maybe(lane.busy_ns),
    max_ns: maybe(lane.max_ns),
    max_start: maybe(lane.max_start),
  };
}

const shifted = (column: readonly (number | null)[], by: number) =>
  column.map((idx) => (idx === null ? null : idx + by));
