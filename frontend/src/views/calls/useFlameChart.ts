import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { callsQuery } from '../../api/calls';
import type { Trace } from '../../api/types';
import { laneStretch } from '../../components/chart/laneRequest';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { useLaneStretch } from '../../components/chart/useLaneStretch';
import { useTheme } from '../../components/theme/theme';
import type { CallsState } from '../../viewState/calls';
import { callRows, flameScene } from './flameChart';

const OVERVIEW_COLUMNS = 800;

export type FlameChartData = ReturnType<typeof useFlameChart>;

/** The calls of the window, in rows that are as deep as the whole trace needs. */
export function useFlameChart(
  trace: Trace,
  domain: TimeWindow,
  window: TimeWindow,
  width: number,
  { by, cpu, pid }: Pick<CallsState, 'by' | 'cpu' | 'pid'>,
) {
  const { name } = useTheme();
  const stretch = useLaneStretch(window, domain, width);
  const calls = useQuery({ ...callsQuery(trace.id, { ...stretch, by, cpu, pid }), enabled: width > 0 });
  // Only for the depths; the server may refuse it for a very large trace, and the rows then follow the window.
  const whole = useQuery({
    ...callsQuery(trace.id, { ...domain, width: OVERVIEW_COLUMNS, by, cpu, pid }),
    retry: false,
  });
  const answer = calls.data;
  const overview = whole.isPlaceholderData ? undefined : whole.data;
  const rows = useMemo(
    () => (answer ? callRows([overview, answer].filter((known) => known !== undefined)) : undefined),
    [overview, answer],
  );
  const scene = useMemo(() => rows && answer && flameScene(rows, answer, name), [rows, answer, name]);
  const wanted = laneStretch(window, domain, width);
  return {
    answer,
    rows,
    scene,
    error: calls.error,
    retry: () => void calls.refetch(),
    isComplete:
      calls.isSuccess &&
      !calls.isPlaceholderData &&
      wanted.start === stretch.start &&
      wanted.width === stretch.width,
  };
}
