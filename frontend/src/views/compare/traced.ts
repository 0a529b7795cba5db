import type { CompareRequest, OfferedMeasure } from '../../api/compare';

/** docs/experiments.md says more of it. */
export const WHY_THEY_DIFFER =
  'The numbers differ: a program counts from the time that it asked for, a trace from the programmed expiry, which for an ordinary task is later by its timer slack, 50\u202fµs by default.';

/**
 * The same table by the traces of the runs that a program measured, where they are compared beside its files;
 * undefined where they are not, and where the samples are split by what only one of the two knows.
 */
export function tracedRequest(
  asked: CompareRequest,
  measures: readonly OfferedMeasure[],
): CompareRequest | undefined {
  // What a program measures of its own sleeps, a trace has as the kind that knows how long each was.
  const traced = measures.find(({ lateness, splits }) => lateness === 'measured' && splits.includes('sleep'));
  const isShared = asked.strata.every((by) => by === 'cpu' || by.includes(':'));
  if (asked.kind !== 'measured' || traced === undefined || asked.strata.length === 0 || !isShared) {
    return undefined;
  }
  return { ...asked, kind: traced.kind, key: null };
}
