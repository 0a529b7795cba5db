import type { TimelineAnswer, TimelineLane } from '../../api/lanes';
import { isOfTasks, isOfCpu } from '../../components/lanes/laneAnswer';
import {
  buildScene,
  busyShares,
  IndexedTexts,
  type LaneRow,
  type LaneScene,
} from '../../components/chart/laneScene';
import { taskFill } from '../../components/lanes/timelineScene';
import type { Theme } from '../../components/theme/theme';

const TALLEST_ROW_PX = 18;
const TALLEST_PX = 216;

export interface Overview {
  readonly scene: LaneScene;
  readonly rows: readonly { readonly cpu: number; readonly heightPx: number }[];
}

/** One row for each CPU's running tasks; on a machine with many CPUs the rows get thin instead of many screens high. */
export function overviewScene(answer: TimelineAnswer, theme: Theme): Overview {
  const lanes = answer.lanes.filter(isOfCpu).filter((lane) => isOfTasks(lane, answer));
  const heightPx = Math.max(2, Math.min(TALLEST_ROW_PX, Math.floor(TALLEST_PX / Math.max(1, lanes.length))));
  const fills = new IndexedTexts();
  const rows = lanes.map((lane): LaneRow => {
    const fill = lane.t.map((_, index) => {
      const colour = runningColour(lane, index, answer, theme);
      return colour === undefined ? undefined : fills.indexOf(colour);
    });
    const level = lane.detail === 'buckets' ? { level: busyShares(lane) } : {};
    const items = { start: lane.t, duration: lane.duration_ns, fill, ...level };
    return { id: lane.id, label: '', height: heightPx, items };
  });
  return {
    scene: buildScene({ rows, fills: fills.all, texts: [], showsShares: true }),
    rows: lanes.map(({ cpu }) => ({ cpu, heightPx })),
  };
}

/** Nothing for the idle task: what is idle stays empty. */
function runningColour(
  lane: TimelineLane,
  index: number,
  { tasks }: TimelineAnswer,
  theme: Theme,
): string | undefined {
  const task = tasks[lane.task_idx?.[index] ?? -1];
  return task?.pid === 0 ? undefined : taskFill(task, theme);
}
