import { memo } from 'react';
import { useMatches, type CpuEventCounts, type EventCountsRequest } from '../../../api/eventCounts';
import type { LanePlace } from '../../../components/chart/LaneChart';
import type { LaneScene } from '../../../components/chart/laneScene';
import type { TimeWindow } from '../../../components/chart/timeWindow';
import type { PlannedLane } from '../../../components/lanes/laneModel';
import { groupDigits } from '../../../lib/ns';
import styles from './HitTicks.module.css';
import { filterOfTask, TICK_PX, tickPath } from './hitTicks';
import type { Hits } from './useHits';

interface HitTicksProps {
  readonly traceId: string;
  readonly hits: Pick<Hits, 'counted' | 'shown'>;
  readonly lanes: readonly PlannedLane[];
  readonly scene: LaneScene;
  readonly window: TimeWindow;
  readonly place: LanePlace;
}

/** What the filter matches, as ticks at the top of the lanes of each CPU and each task, with how many there are. */
export const HitTicks = memo(function HitTicks({ traceId, hits, lanes, ...parts }: HitTicksProps) {
  const { counted, shown } = hits;
  return (
    <>
      {shown?.cpus.map((cells) => (
        <RowTicks
          key={cells.cpu}
          id={`hits-cpu${cells.cpu}`}
          row={lanes.findIndex(({ cpu }) => cpu === cells.cpu)}
          cells={[cells]}
          {...parts}
        />
      ))}
      {counted &&
        lanes.map(({ id, pid, isNested }, row) =>
          pid === undefined || isNested ? null : (
            <TaskTicks key={id} pid={pid} row={row} {...{ traceId, counted }} {...parts} />
          ),
        )}
    </>
  );
});

interface TaskTicksProps extends Pick<RowTicksProps, 'row' | 'scene' | 'window' | 'place'> {
  readonly traceId: string;
  readonly pid: number;
  readonly counted: EventCountsRequest;
}

/** The matches among the events of one task, on whichever CPU it was. */
function TaskTicks({ traceId, pid, counted, ...parts }: TaskTicksProps) {
  const q = filterOfTask(counted.q, pid);
  const matches = useMatches(traceId, { ...counted, q: q ?? '' }, q !== undefined);
  return matches ? <RowTicks id={`hits-task${pid}`} cells={matches.cpus} {...parts} /> : null;
}

interface RowTicksProps {
  readonly id: string;
  /** Less than zero where no row shows it. */
  readonly row: number;
  readonly cells: readonly CpuEventCounts[];
  readonly scene: LaneScene;
  readonly window: TimeWindow;
  readonly place: LanePlace;
}

function RowTicks({ id, row, cells, scene, window, place }: RowTicksProps) {
  if (row < 0) return null;
  const paths = cells.map((ofCpu) => tickPath(ofCpu, window, place.plotWidth));
  return (
    <div
      className={styles.ticks}
      style={{ top: (scene.tops[row] ?? 0) - place.scroll, height: TICK_PX.most }}
      data-testid={id}
      aria-hidden
    >
      <svg width={place.plotWidth} height={TICK_PX.most}>
        <path d={paths.join('')} />
      </svg>
      <span className={styles.count}>{groupDigits(cells.reduce((sum, { count }) => sum + count, 0))}</span>
    </div>
  );
}
