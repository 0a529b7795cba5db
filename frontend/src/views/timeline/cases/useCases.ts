import { useQueries, useQuery } from '@tanstack/react-query';
import { caseQuery, kindsQuery, worstQuery } from '../../../api/latencies';
import type { LatencyItem } from '../../../api/latencyTypes';
import type { Trace } from '../../../api/types';
import { frameWindow } from '../../../components/chart/timeWindow';
import type { TraceWindow } from '../../../components/chart/useTraceWindow';
import { ns } from '../../../lib/ns';
import { kindsWithSamples, usualKind } from '../../../lib/usualKind';
import { kindOfCase } from './caseDots';
import { ALL_KINDS, NO_KIND, type TimelineState } from '../../../viewState/timeline';
import type { SetViewState } from '../../../viewState/useViewState';

/** Dots that can still be told apart on a screen. */
const MOST_OF_ONE = 40;
const MOST_OF_EACH = 8;

export type Cases = ReturnType<typeof useCases>;

/** The worst cases of the stretch in sight, and the one that is open. */
export function useCases(
  trace: Trace,
  state: TimelineState,
  setState: SetViewState<TimelineState>,
  { settled, domain }: TraceWindow,
) {
  const known = useQuery(kindsQuery(trace.id));
  const kinds = kindsWithSamples(known.data ?? []);
  const usual = usualKind(kinds, state.cases || kindOfCase(state.case));
  const isAll = state.cases === ALL_KINDS;
  const one = usual === undefined ? [] : [usual];
  const shown = state.cases === NO_KIND ? [] : isAll ? kinds : one;
  const stretch = settled === domain ? {} : { start: settled.start, end: settled.end };
  const lists = useQueries({
    queries: shown.map(({ kind }) =>
      worstQuery(trace.id, { kind, ...stretch, limit: isAll ? MOST_OF_EACH : MOST_OF_ONE }),
    ),
  });
  const failed = [known, ...lists].find(({ isError }) => isError);
  const opened = useQuery({ ...caseQuery(trace.id, state.case), enabled: state.case !== '' });
  // One step of the history, so that Back leads to what was in sight before.
  const open = ({ id, t, end }: Pick<LatencyItem, 'id' | 't' | 'end'>) => {
    const window = frameWindow(t, end, domain);
    setState(
      {
        case: id,
        window: { start: ns(window.start), end: ns(window.end) },
        slice: undefined,
        area: undefined,
        event: undefined,
      },
      { history: 'push' },
    );
  };
  return {
    kinds,
    /** What the choice of kinds shows: a kind, `all` or `none`. */
    choice: shown.length === 1 && !isAll ? (shown[0]?.kind ?? NO_KIND) : state.cases,
    items: lists.flatMap(({ data }) => data?.items ?? []),
    isPending: known.isPending || lists.some(({ isPending }) => isPending),
    failed,
    opened,
    open,
  };
}
