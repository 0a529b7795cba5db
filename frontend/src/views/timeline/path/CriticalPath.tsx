import { useMemo, useState } from 'react';
import type { LatencyCase } from '../../../api/latencyTypes';
import { useClock } from '../../../components/clock/useClock';
import type { LanePlace } from '../../../components/chart/LaneChart';
import type { LaneScene } from '../../../components/chart/laneScene';
import { overlaps, spanOf, type TimeWindow } from '../../../components/chart/timeWindow';
import type { PlannedLane } from '../../../components/lanes/laneModel';
import { ns } from '../../../lib/ns';
import { sentenceText } from '../../../lib/visibleText';
import { criticalPath, type PathPiece } from './criticalPath';
import styles from './CriticalPath.module.css';

interface CriticalPathProps {
  readonly latencyCase: Pick<LatencyCase, 'why'>;
  readonly lanes: readonly PlannedLane[];
  readonly scene: LaneScene;
  readonly window: TimeWindow;
  readonly place: LanePlace;
}

/** A line through the lanes of whom the case waited for, at the foot of each; a stretch that is pointed at says why. */
export function CriticalPath({ latencyCase, lanes, scene, window, place }: CriticalPathProps) {
  const clock = useClock();
  const [pointed, setPointed] = useState<number>();
  const scale = place.plotWidth / spanOf(window);
  const xOf = (t: number) => Math.min(place.plotWidth + 8, Math.max(-8, (t - window.start) * scale));
  const { why } = latencyCase;
  const path = useMemo(() => criticalPath(why), [why]);
  const pieces = path.flatMap((piece, index) => {
    const row = pathRow(lanes, piece);
    if (row === undefined || !overlaps(window, piece.start, piece.end)) return [];
    const y = (scene.tops[row] ?? 0) + (scene.rows[row]?.height ?? 0) - 2 - place.scroll;
    return [{ piece, index, y, from: xOf(piece.start), to: xOf(piece.end) }];
  });
  // From one stretch to the next, where they meet.
  const d = pieces.map(({ y, from, to, piece }, index) => {
    const meets = pieces[index - 1]?.piece.end === piece.start;
    return `${meets ? 'L' : 'M'}${from} ${y}L${to} ${y}`;
  });
  const found = pieces.find(({ index }) => index === pointed)?.piece;
  return (
    <div className={styles.layer} aria-hidden>
      <svg className={styles.line} data-testid="critical-path" data-pieces={pieces.length}>
        <path className={styles.halo} d={d.join('')} />
        <path className={styles.core} d={d.join('')} />
        {pieces.map(({ index, y, from, to }) => (
          <path
            key={index}
            className={styles.reach}
            d={`M${from} ${y}L${to} ${y}`}
            onPointerOver={() => setPointed(index)}
            onPointerLeave={() => setPointed(undefined)}
          />
        ))}
      </svg>
      {found && (
        <p className={styles.words}>
          {`Critical path: ${sentenceText(found.sentence)} (${clock.duration(ns(found.end - found.start))})`}
        </p>
      )}
    </div>
  );
}

/** The lane of the task, else the first one of the CPU on which it, or a handler, ran. */
export function pathRow(
  lanes: readonly Pick<PlannedLane, 'cpu' | 'pid' | 'depth'>[],
  { cpu, pid }: Pick<PathPiece, 'cpu' | 'pid'>,
): number | undefined {
  const ofTask = lanes.findIndex((lane) => lane.pid !== undefined && lane.pid === pid && lane.depth === 0);
  if (ofTask >= 0) return ofTask;
  const isOfCpu = (lane: (typeof lanes)[number]) => lane.pid === undefined && lane.cpu === cpu;
  const any = lanes.findIndex(isOfCpu);
  return any < 0 ? undefined : any;
}
