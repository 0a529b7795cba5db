import type { LanePlace } from '../../../components/chart/LaneChart';
import type { LaneScene } from '../../../components/chart/laneScene';
import { spanOf, type TimeWindow } from '../../../components/chart/timeWindow';
import type { PlannedLane } from '../../../components/lanes/laneModel';
import type { SliceId } from '../../../viewState/itemIds';
import { arrowRows, useWaking } from './waking';
import styles from './WakeArrow.module.css';

interface WakeArrowProps {
  readonly traceId: string;
  readonly slice: SliceId | undefined;
  readonly lanes: readonly PlannedLane[];
  readonly scene: LaneScene;
  readonly window: TimeWindow;
  readonly place: LanePlace;
}

/** From the CPU on which a task was woken to the lane of the task, where its waiting is selected. */
export function WakeArrow({ traceId, slice, lanes, scene, window, place }: WakeArrowProps) {
  const waking = useWaking(traceId, slice);
  if (waking === undefined || slice?.pid === undefined) return null;
  const rows = arrowRows(lanes, waking.cpu, slice.pid);
  if (rows === undefined || waking.t < window.start || waking.t >= window.end) return null;
  const middle = (row: number) => (scene.tops[row] ?? 0) + (scene.rows[row]?.height ?? 0) / 2;
  const [from, to] = [middle(rows.from), middle(rows.to)];
  const x = ((waking.t - window.start) * place.plotWidth) / spanOf(window);
  return (
    <div
      className={styles.arrow}
      data-points={to < from ? 'up' : 'down'}
      data-testid="wake-arrow"
      style={{ left: x, top: Math.min(from, to) - place.scroll, height: Math.abs(to - from) }}
      aria-hidden
    />
  );
}
