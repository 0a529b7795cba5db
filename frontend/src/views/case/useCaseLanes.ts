import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { timelineQuery } from '../../api/lanes';
import type { LatencyCase } from '../../api/latencyTypes';
import type { Trace } from '../../api/types';
import { AXIS_HEIGHT_PX } from '../../components/chart/laneScene';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { useLaneStretch } from '../../components/chart/laneRequest';
import { useLiveWindow } from '../../components/chart/useLiveWindow';
import { fillLanes, planLanes } from '../../components/lanes/laneModel';
import { timelineScene } from '../../components/lanes/timelineScene';
import { useTheme } from '../../components/theme/theme';
import { ns } from '../../lib/ns';
import { caseState } from '../../viewState/case';
import { useViewState } from '../../viewState/useViewState';
import { homeWindow, lanesHeight } from './caseMarks';

/** Under the lanes, for the names of the marks. */
const FLAGS_PX = 20;

const EVERYTHING = { cpu: [], hide: [] };

export type CaseLanes = ReturnType<typeof useCaseLanes>;

/** What ran around a case on the CPUs that it was on, in a window that its address keeps once it was moved. */
export function useCaseLanes(trace: Trace, latencyCase: LatencyCase, width: number) {
  const [state, setState] = useViewState(caseState);
  const theme = useTheme();
  const domain = useMemo(() => ({ start: 0, end: (trace.duration_ns ?? 0) + 1 }), [trace.duration_ns]);
  const home = useMemo(() => homeWindow(latencyCase, domain), [latencyCase, domain]);
  const commit = useCallback(
    (next: TimeWindow) => {
      const window = { start: ns(Math.round(next.start)), end: ns(Math.round(next.end)) };
      setState({ window: next.start === home.start && next.end === home.end ? undefined : window });
    },
    [home, setState],
  );
  const live = useLiveWindow(state.window ?? home, commit);
  const stretch = useLaneStretch(live.window, domain, width);
  const cpus = [...new Set([latencyCase.cpu, latencyCase.start_cpu ?? latencyCase.cpu])]
    .map((cpu) => `cpu${cpu}`)
    .join(',');
  const query = useQuery({
    ...timelineQuery(trace.id, { ...stretch, lanes: cpus }),
    enabled: width > 0,
  });
  const answer = query.data;
  const lanes = useMemo(
    () => (answer ? fillLanes(planLanes([answer], EVERYTHING), answer) : undefined),
    [answer],
  );
  const room = lanesHeight(latencyCase) - AXIS_HEIGHT_PX - FLAGS_PX;
  const scene = useMemo(
    () => lanes && answer && timelineScene(lanes, answer, theme, room),
    [lanes, answer, theme, room],
  );
  return { domain, live, home, hasMoved: state.window !== undefined, answer, lanes, scene, query };
}
