import type { LatencyKind } from '../../../api/latencyTypes';
import { measureOfCase } from '../../../lib/measure';
import type { Extreme, TraceState } from '../../../viewState/trace';
import type { ShownKind } from './shownKind';

/**
 * Which end of bare numbers that a program measured is listed; nothing where the values are times. Such numbers count
 * the work that was done in a quantum, so the smallest are the worst. Of fields of events nobody can say that.
 */
export function listedExtreme(
  kind: Pick<ShownKind, 'worst' | 'request'> | undefined,
  { extreme }: Pick<TraceState, 'extreme'>,
): Extreme | undefined {
  if (!kind?.worst || kind.request.field !== undefined || measureOfCase(kind.worst).isTime) return undefined;
  return extreme ?? 'smallest';
}

/** Whether a trace has nothing but them, so that one value of each kind would be a list of one. */
export const hasOneKind = (kinds: readonly Pick<LatencyKind, 'count'>[]) =>
  kinds.filter(({ count }) => count > 0).length === 1;
