import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { callsQuery } from '../../../api/calls';
import type { Trace } from '../../../api/types';
import { useLaneStretch } from '../../../components/chart/laneRequest';
import { AXIS_HEIGHT_PX } from '../../../components/chart/laneScene';
import type { TraceWindow } from '../../../components/chart/useTraceWindow';
import { callRows, flameScene } from '../../../components/flame/flameChart';
import { useTheme } from '../../../components/theme/theme';
import type { PlotSize } from '../useTimeline';

const OVERVIEW_COLUMNS = 800;

/** The calls of the window on each CPU, in rows that are as deep as the whole trace needs. */
export function useCallLanes(
  trace: Trace,
  { live, domain }: TraceWindow,
  { width, height }: PlotSize,
  cpu: readonly number[],
) {
  const { name } = useTheme();
  const stretch = useLaneStretch(live.window, domain, width);
  const whose = { by: 'cpu', cpu, pid: [] } as const;
  const query = useQuery({ ...callsQuery(trace.id, { ...stretch, ...whose }), enabled: width > 0 });
  // For the depths; the server may refuse it for a very large trace, and the rows then follow the window.
  const whole = useQuery({
    ...callsQuery(trace.id, { ...domain, width: OVERVIEW_COLUMNS, ...whose }),
    retry: false,
  });
  const [answer, overview] = [query.data, whole.data];
  const isKnown = overview !== undefined || whole.isError;
  const rows = useMemo(
    () =>
      answer && isKnown ? callRows([overview, answer].filter((known) => known !== undefined)) : undefined,
    [answer, overview, isKnown],
  );
  const scene = useMemo(
    () => rows && answer && flameScene(rows, answer, name, height - AXIS_HEIGHT_PX),
    [rows, answer, name, height],
  );
  return { query, answer, rows, scene };
}
