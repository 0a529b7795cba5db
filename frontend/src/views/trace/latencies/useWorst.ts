import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { worstQuery } from '../../../api/latencies';
import type { LatencyItem, LatencyKind } from '../../../api/latencyTypes';
import type { TraceState } from '../../../viewState/trace';
import { hasOneKind, listedExtreme } from './listedExtreme';
import { bandLengths, type ShownKind } from './shownKind';
import { worstOfEach } from './worstOfEach';

interface WorstOf {
  readonly traceId: string;
  readonly kinds: readonly LatencyKind[];
  readonly chosen: ShownKind | undefined;
  readonly state: TraceState;
}

/** As many as one looks at, then those that are asked for, up to what the server lists at once. */
const LISTED = 20;
/** Of bare numbers, which say nothing that their picture below does not show. */
const LISTED_NUMBERS = 5;
const MORE = 100;
const MOST_LISTED = 1000;

const NO_KIND = { kind: '' };
const NOTHING: readonly LatencyItem[] = [];

/** The rows: of the chosen kind those in the window, which the server is asked for; of each kind what is known. */
export function useWorst({ traceId, kinds, chosen, state }: WorstOf) {
  const ofNumbers = listedExtreme(chosen, state);
  const isOfKind =
    chosen !== undefined && (state.worst === 'kind' || (ofNumbers !== undefined && hasOneKind(kinds)));
  const extreme = isOfKind ? ofNumbers : undefined;
  const cases = {
    ...(chosen?.request ?? NO_KIND),
    ...(extreme === 'smallest' && { sort: 'duration' as const }),
    start: state.window?.start,
    end: state.window?.end,
    ...bandLengths(state.band),
  };
  const isBriefly = extreme !== undefined && state.band === undefined;
  const [limit, grow] = useGrowing(JSON.stringify(cases), isBriefly ? LISTED_NUMBERS : LISTED);
  const query = useQuery({ ...worstQuery(traceId, { ...cases, limit }), enabled: isOfKind });
  const each = useMemo(() => worstOfEach(kinds), [kinds]);
  const rows: readonly LatencyItem[] = isOfKind ? (query.data?.items ?? NOTHING) : each;
  const hasMore = isOfKind && typeof query.data?.next === 'string' && limit < MOST_LISTED;
  return {
    query,
    isOfKind,
    rows,
    isWaiting: isOfKind && query.isPending,
    limit,
    /** Lists more of them; absent where there are no more. */
    showMore: hasMore ? grow : undefined,
    extreme,
  };
}

/** How many of a list are shown, and how to show more; another list begins anew. */
function useGrowing(list: string, first: number): readonly [number, () => void] {
  const [grown, setGrown] = useState({ list, limit: first });
  const limit = grown.list === list ? grown.limit : first;
  return [limit, () => setGrown({ list, limit: Math.min(MOST_LISTED, limit - (limit % MORE) + MORE) })];
}
