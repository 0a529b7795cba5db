import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { timelineQuery } from '../../api/lanes';
import type { LatencyCase } from '../../api/latencyTypes';
import type { Trace } from '../../api/types';
import { useLaneStretch } from '../../components/chart/laneRequest';
import { AXIS_HEIGHT_PX } from '../../components/chart/laneScene';
import { fillLanes, planLanes } from '../../components/lanes/laneModel';
import { timelineScene } from '../../components/lanes/timelineScene';
import { useTheme } from '../../components/theme/theme';
import { lanesHeight, TASK_ROW_PX } from './caseMarks';
import { caseCpus, caseTasks, outlined, taskStretches, withTaskRows } from './taskLanes';
import type { CaseWindow } from './useCaseWindow';

/** What ran around a case on the CPUs that it was on, and what its task and its waker did meanwhile. */
export function useCaseLanes(
  trace: Trace,
  latencyCase: LatencyCase,
  { domain, live }: CaseWindow,
  width: number,
) {
  const theme = useTheme();
  const stretch = useLaneStretch(live.window, domain, width);
  const cpus = useMemo(() => caseCpus(latencyCase), [latencyCase]);
  const tasks = useMemo(() => caseTasks(latencyCase), [latencyCase]);
  // A task may run on any CPU before and after.
  const wanted = [...cpus.map((cpu) => `cpu${cpu}`), ...(tasks.length > 0 ? ['sched'] : [])].join(',');
  const query = useQuery({
    ...timelineQuery(trace.id, { ...stretch, lanes: wanted }),
    enabled: width > 0,
  });
  const answer = query.data;
  const lanes = useMemo(
    () => (answer ? fillLanes(planLanes([answer], { cpu: cpus, hide: [] }), answer) : undefined),
    [answer, cpus],
  );
  const stretches = useMemo(
    () =>
      new Map(
        answer && tasks.map((task) => [task.pid, taskStretches(task, answer, latencyCase.events)] as const),
      ),
    [answer, tasks, latencyCase.events],
  );
  const room = lanesHeight(latencyCase) - AXIS_HEIGHT_PX - tasks.length * TASK_ROW_PX;
  const scene = useMemo(() => {
    if (!lanes || !answer) return undefined;
    const ofCpus = outlined(timelineScene(lanes, answer, theme, room), lanes, answer, latencyCase.pid);
    const known = tasks.filter(({ pid }) => (stretches.get(pid) ?? []).length > 0);
    return withTaskRows(ofCpus, known, ({ pid }) => stretches.get(pid) ?? [], theme, TASK_ROW_PX - 6);
  }, [lanes, answer, theme, room, tasks, stretches, latencyCase.pid]);
  return { answer, lanes, scene, query };
}
