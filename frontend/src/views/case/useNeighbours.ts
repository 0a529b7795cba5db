import { useQuery } from '@tanstack/react-query';
import { kindsQuery, worstQuery } from '../../api/latencies';
import type { LatencyItem } from '../../api/latencyTypes';
import { measureOfCase } from '../../lib/measure';
import { groupDigits } from '../../lib/ns';
import { FIELD_UNITS, type TraceState } from '../../viewState/trace';

/** As far as one walks from case to case. */
const LISTED = 100;

export interface Neighbours {
  /** What the kind is called; its own name until that is known. */
  readonly title: string;
  /** Rank from 1 among all of its kind, where it is among the worst. */
  readonly rank: number | undefined;
  readonly count: number | undefined;
  /** Those listed before and after it, which need not be longer and shorter: some are listed last. */
  readonly previous: LatencyItem | undefined;
  readonly next: LatencyItem | undefined;
  /** The question for the neighbours, where they could not be listed. */
  readonly failed: { readonly error: Error | null; readonly refetch: () => unknown } | undefined;
}

/** The rank of a case among those of its kind, and the cases listed next to it. */
export function useNeighbours(
  traceId: string,
  latencyCase: Pick<LatencyItem, 'id' | 'kind' | 'key' | 'unit' | 'duration_ns'>,
): Neighbours {
  const { id, kind } = latencyCase;
  const { field, unit } = samplesOf(latencyCase);
  const request = field === '' ? { kind } : { kind, field, unit: unit === 'recorded' ? undefined : unit };
  // Bare numbers that a program measured count work: the smallest are the worst.
  const isSmallestFirst = field === '' && !measureOfCase(latencyCase).isTime;
  const order = isSmallestFirst ? ({ sort: 'duration' } as const) : {};
  const worst = useQuery(worstQuery(traceId, { ...request, ...order, limit: LISTED }));
  const kinds = useQuery(kindsQuery(traceId));
  const ofKind = kinds.data?.find((candidate) => candidate.kind === kind);
  return {
    title: field === '' ? (ofKind?.title ?? kind) : field,
    count: field === '' ? ofKind?.count : undefined,
    failed: worst.isError ? worst : undefined,
    ...placeAmong(worst.data?.items ?? [], id),
  };
}

/** The case's place in a list that is sorted worst first. From a case outside of it, the way leads to the worst. */
export function placeAmong(
  items: readonly LatencyItem[],
  id: string,
): Pick<Neighbours, 'rank' | 'previous' | 'next'> {
  const at = items.findIndex((item) => item.id === id);
  if (at < 0) return { rank: undefined, previous: items.at(-1), next: undefined };
  return { rank: at + 1, previous: at > 0 ? items[at - 1] : undefined, next: items[at + 1] };
}

/** `#5 of 1,781`: where a case stands among its kind. */
export function rankText(rank: number, count: number | undefined): string {
  if (count === 1) return 'the only one';
  return (rank === 1 ? 'the worst' : `#${rank}`) + (count === undefined ? '' : ` of ${groupDigits(count)}`);
}

/** What a case is one of: its kind, or the field of events whose value it is, in the unit that its id names. */
export function samplesOf({
  id,
  kind,
  key,
}: Pick<LatencyItem, 'id' | 'kind' | 'key'>): Pick<TraceState, 'kind' | 'field' | 'unit'> {
  if (kind !== 'field' || key === null) return { kind, field: '', unit: 'recorded' };
  const named = /^field\.[^@]*~([a-z]+)-[^@]*@/.exec(id)?.[1];
  return { kind, field: key, unit: FIELD_UNITS.find((unit) => unit === named) ?? 'recorded' };
}
