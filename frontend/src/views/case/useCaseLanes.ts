import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { timelineQuery } from '../../api/lanes';
import type { LatencyCase } from '../../api/latencyTypes';
import type { Trace } from '../../api/types';
import { useLaneStretch } from '../../components/chart/laneRequest';
import { AXIS_HEIGHT_PX, sceneHeight } from '../../components/chart/laneScene';
import { fillLanes, planLanes } from '../../components/lanes/laneModel';
import { isOfTasks } from '../../components/lanes/laneAnswer';
import { timelineScene } from '../../components/lanes/timelineScene';
import { useTheme } from '../../components/theme/theme';
import { lanesHeight, taskRowPx } from './caseMarks';
import { culprits } from '../../components/ruler/latePart';
import { caseCpus, caseTasks, taskStretches, withRoles, withTaskRows } from './taskLanes';
import type { CaseWindow } from './useCaseWindow';

/** The finest that the server draws lanes at. */
const MOST_COLUMNS = 5_000;

/** What ran is read by its colours and one line of text: higher, it would outshine the ruler. */
const MOST_RUNNING_PX = 96;

/** What ran around a case on the CPUs that it was on, and what its task and its waker did at the time. */
export function useCaseLanes(
  trace: Trace,
  latencyCase: LatencyCase,
  { domain, live }: CaseWindow,
  width: number,
  windowPx: number,
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
  // Of a task one wants each slice, and not sums of all tasks: where the lanes are too full, as many as can be asked for.
  const isSummedUp =
    answer?.lanes.some((lane) => isOfTasks(lane, answer) && lane.detail === 'buckets') ?? false;
  const finest = useQuery({
    ...timelineQuery(trace.id, { ...stretch, width: MOST_COLUMNS, lanes: 'sched' }),
    enabled: isSummedUp && tasks.length > 0,
  });
  const ofTasks = isSummedUp ? (finest.data ?? answer) : answer;
  const lanes = useMemo(
    () => (answer ? fillLanes(planLanes([answer], { cpu: cpus, hide: [] }), answer) : undefined),
    [answer, cpus],
  );
  const stretches = useMemo(
    () =>
      new Map(
        ofTasks && tasks.map((task) => [task.pid, taskStretches(task, ofTasks, latencyCase.events)] as const),
      ),
    [ofTasks, tasks, latencyCase.events],
  );
  const leastRowPx = taskRowPx(windowPx);
  const allPx = lanesHeight(latencyCase, windowPx) - AXIS_HEIGHT_PX;
  const room = allPx - tasks.length * leastRowPx;
  const scene = useMemo(() => {
    if (!lanes || !answer) return undefined;
    const roles = { victim: latencyCase.pid, culprits: culprits(latencyCase), within: latencyCase };
    const ofCpus = withRoles(
      timelineScene(lanes, answer, theme, { room, taskPx: MOST_RUNNING_PX }),
      lanes,
      answer,
      roles,
      theme,
    );
    // What the lanes of the CPUs leave is for the task that waited.
    const rowPx = Math.min(
      MOST_RUNNING_PX,
      Math.max(leastRowPx, (allPx - sceneHeight(ofCpus)) / Math.max(1, tasks.length)),
    );
    // The rows are there whatever is known: their room is kept for them, and one that slept has an empty one.
    return withTaskRows(ofCpus, tasks, ({ pid }) => stretches.get(pid) ?? [], theme, rowPx - 6);
  }, [lanes, answer, theme, room, tasks, stretches, latencyCase, leastRowPx, allPx]);
  return { answer, lanes, scene, query };
}
