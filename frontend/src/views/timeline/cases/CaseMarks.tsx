import type { LatencyCase } from '../../../api/latencyTypes';
import type { LanePlace } from '../../../components/chart/LaneChart';
import type { LaneScene } from '../../../components/chart/laneScene';
import { overlaps, spanOf, type TimeWindow } from '../../../components/chart/timeWindow';
import type { LanePlan } from '../../../components/lanes/laneModel';
import { casePieces } from '../../../components/ruler/latePart';
import { caseBlocks } from './caseBlocks';
import styles from './Cases.module.css';

interface CaseMarksProps {
  readonly latencyCase: LatencyCase;
  readonly lanes: readonly LanePlan[];
  readonly scene: LaneScene;
  readonly window: TimeWindow;
  readonly place: LanePlace;
}

/** The stages of the opened case through the lanes of its CPUs and its task, and its late part as a band behind them. */
export function CaseMarks({ latencyCase, lanes, scene, window, place }: CaseMarksProps) {
  const { cpu, start_cpu, pid, t, end } = latencyCase;
  const pieces = casePieces(latencyCase);
  const moments = [...new Set([t, ...pieces.filter(({ isLate }) => !isLate).map(({ start }) => start), end])];
  const scale = place.plotWidth / spanOf(window);
  const xOf = (at: number) => Math.min(place.plotWidth + 4, Math.max(-4, (at - window.start) * scale));
  return caseBlocks(lanes, scene, { cpus: [cpu, start_cpu], pid }).map(({ top, height }) => (
    <div key={top} className={styles.block} style={{ top: top - place.scroll, height }} aria-hidden>
      {pieces
        .filter(({ isLate, start, end: until }) => isLate && overlaps(window, start, until))
        .map(({ id, start, end: until }) => (
          <span
            key={id}
            className={styles.late}
            style={{ left: xOf(start), width: xOf(until) - xOf(start) }}
          />
        ))}
      {moments
        .filter((at) => at >= window.start && at <= window.end)
        .map((at) => (
          <span
            key={at}
            className={styles.moment}
            data-ends={at === t || at === end || undefined}
            style={{ left: xOf(at) }}
          />
        ))}
    </div>
  ));
}
