import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { callsQuery } from '../../api/calls';
import type { LatencyCase } from '../../api/latencyTypes';
import type { Trace } from '../../api/types';
import { useLaneStretch } from '../../components/chart/laneRequest';
import { frameWindow, MIN_SPAN_NS, spanOf, type TimeWindow } from '../../components/chart/timeWindow';
import { useWindowHeight } from '../../components/chart/useWindowHeight';
import { useLiveWindow } from '../../components/chart/useLiveWindow';
import { callRows, flameScene } from '../../components/flame/flameChart';
import { useTheme } from '../../components/theme/theme';
import { ns } from '../../lib/ns';
import { caseState } from '../../viewState/case';
import { useViewState } from '../../viewState/useViewState';

const OVERVIEW_COLUMNS = 800;

/** On a tall screen the rows grow, which would else be blank; on a laptop they leave it to what is below them. */
const TALL_PX = 1000;
const roomFor = (windowPx: number) => (windowPx < TALL_PX ? 0 : Math.floor(windowPx * 0.42));

/** The call that a case is, with all that it called, in a window that the address keeps once it was moved. */
export function useCaseCalls(trace: Trace, { t, end, cpu, pid }: LatencyCase, width: number) {
  const [state, setState] = useViewState(caseState);
  const { name } = useTheme();
  const domain = useMemo<TimeWindow>(() => ({ start: t, end: Math.max(end, t + 1) }), [t, end]);
  const commit = useCallback(
    (next: TimeWindow) => {
      const isWhole = next.start <= domain.start && next.end >= domain.end;
      const calls = { start: ns(Math.round(next.start)), end: ns(Math.round(next.end)) };
      setState({ calls: isWhole ? undefined : calls });
    },
    [domain, setState],
  );
  const live = useLiveWindow(state.calls ?? domain, commit);
  const stretch = useLaneStretch(live.window, domain, width);
  // The idle task and unknown ones have a stack on each CPU, every other task has one.
  const whose =
    pid === null || pid === 0
      ? { by: 'cpu' as const, cpu: [cpu], pid: [] }
      : { by: 'task' as const, cpu: [], pid: [pid] };
  const query = useQuery({ ...callsQuery(trace.id, { ...stretch, ...whose }), enabled: width > 0 });
  // For the depths, so that rows stay where they are while the window moves.
  const whole = useQuery(callsQuery(trace.id, { ...domain, width: OVERVIEW_COLUMNS, ...whose }));
  const [answer, overview] = [query.data, whole.data];
  const rows = useMemo(
    () => (answer && overview ? callRows([overview, answer]) : undefined),
    [overview, answer],
  );
  const room = roomFor(useWindowHeight());
  const scene = useMemo(
    () => rows && answer && flameScene(rows, answer, name, room),
    [rows, answer, name, room],
  );
  return {
    domain,
    live,
    query,
    answer,
    rows,
    scene,
    hasFailed: query.isError || whole.isError,
    hasMoved: state.calls !== undefined,
    // Without a margin: a call that takes most of the case is zoomed to, too.
    frame: (call: TimeWindow) =>
      live.jump(spanOf(call) < MIN_SPAN_NS ? frameWindow(call.start, call.end, domain) : call),
  };
}
