import { memo } from 'react';
import type { Matches } from '../../../api/eventCounts';
import type { LanePlace } from '../../../components/chart/LaneChart';
import type { LaneScene } from '../../../components/chart/laneScene';
import type { TimeWindow } from '../../../components/chart/timeWindow';
import type { PlannedLane } from '../../../components/lanes/laneModel';
import { groupDigits } from '../../../lib/ns';
import styles from './HitTicks.module.css';
import { TICK_PX, tickPath } from './hitTicks';

interface HitTicksProps {
  readonly hits: Matches | undefined;
  readonly lanes: readonly PlannedLane[];
  readonly scene: LaneScene;
  readonly window: TimeWindow;
  readonly place: LanePlace;
}

/** What the filter matches, as ticks at the top of the lanes of each CPU, with how many there are. */
export const HitTicks = memo(function HitTicks({ hits, lanes, scene, window, place }: HitTicksProps) {
  return hits?.cpus.map((cells) => {
    const row = lanes.findIndex(({ cpu }) => cpu === cells.cpu);
    if (row < 0) return null;
    return (
      <div
        key={cells.cpu}
        className={styles.ticks}
        style={{ top: (scene.tops[row] ?? 0) - place.scroll, height: TICK_PX.most }}
        data-testid={`hits-cpu${cells.cpu}`}
        aria-hidden
      >
        <svg width={place.plotWidth} height={TICK_PX.most}>
          <path d={tickPath(cells, window, place.plotWidth)} />
        </svg>
        <span className={styles.count}>{groupDigits(cells.count)}</span>
      </div>
    );
  });
});
