import { useMemo } from 'react';
import type { ChainLink } from '../../../api/chain';
import type { LatencyCase } from '../../../api/latencyTypes';

/** How many tasks that a case waited for have lanes beside its own. */
const MOST_OF_CASE = 3;

/** The tasks that have lanes: those of the opened case, and those that were chosen. */
export function useShownTasks(
  chosen: readonly number[],
  opened: Pick<LatencyCase, 'pid' | 'why'> | undefined,
): readonly number[] {
  return useMemo(() => [...new Set([...(opened ? tasksOfCase(opened) : []), ...chosen])], [chosen, opened]);
}

/** The task of a case, then those that it waited for longest. */
export function tasksOfCase({ pid, why }: Pick<LatencyCase, 'pid' | 'why'>): readonly number[] {
  const waits = new Map<number, number>();
  for (const link of why) addWaits(waits, link);
  const others = [...waits].toSorted(([, a], [, b]) => b - a).map(([other]) => other);
  const own = pid === null ? [] : [pid];
  return [...own, ...others.filter((other) => other !== pid && other !== 0).slice(0, MOST_OF_CASE)];
}

/** What hangs on another task lies under its link. */
function addWaits(waits: Map<number, number>, { subject, duration_ns, deeper }: ChainLink): void {
  const pid = subject?.pid;
  if (typeof pid === 'number') waits.set(pid, (waits.get(pid) ?? 0) + duration_ns);
  for (const link of deeper?.links ?? []) addWaits(waits, link);
}
