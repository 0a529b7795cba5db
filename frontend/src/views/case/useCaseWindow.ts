import { useCallback, useMemo } from 'react';
import type { LatencyCase } from '../../api/latencyTypes';
import type { Trace } from '../../api/types';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { useLiveWindow } from '../../components/chart/useLiveWindow';
import { ns } from '../../lib/ns';
import { caseState } from '../../viewState/case';
import { useViewState } from '../../viewState/useViewState';
import { caseDomain, homeWindow } from './caseMarks';

export type CaseWindow = ReturnType<typeof useCaseWindow>;

/** The stretch that the ruler and the lanes show, which the address keeps once it was moved. */
export function useCaseWindow(trace: Trace, latencyCase: LatencyCase) {
  const [state, setState] = useViewState(caseState);
  const domain = useMemo(
    () => caseDomain(latencyCase, trace.duration_ns ?? 0),
    [latencyCase, trace.duration_ns],
  );
  const home = useMemo(() => homeWindow(latencyCase, domain), [latencyCase, domain]);
  const commit = useCallback(
    (next: TimeWindow) => {
      const window = { start: ns(Math.round(next.start)), end: ns(Math.round(next.end)) };
      setState({ window: next.start === home.start && next.end === home.end ? undefined : window });
    },
    [home, setState],
  );
  const live = useLiveWindow(state.window ?? home, commit);
  return { domain, live, home, hasMoved: state.window !== undefined };
}
