import type { TimelineAnswer } from '../../api/lanes';
import type { LaneHit } from '../../components/chart/LaneChart';
import { ns, type Ns } from '../../lib/ns';
import { useClock } from '../../components/clock/useClock';
import { Fact, Hint, Strip } from '../../components/strip/Strip';
import styles from './Timeline.module.css';
import { ItemFacts } from '../../components/lanes/ItemFacts';
import type { PlannedLane } from '../../components/lanes/laneModel';
import { isOfOneTask, taskLaneName } from '../../components/lanes/taskLanes';

interface HoverStripProps {
  readonly hit: LaneHit | undefined;
  readonly lanes: readonly PlannedLane[];
  readonly answer: TimelineAnswer;
  readonly originNs: string | null;
  readonly cursors: { readonly a: Ns | undefined; readonly b: Ns | undefined };
}

/** Exact values of what is under the pointer, always in the same place and of the same height. */
export function HoverStrip({ hit, lanes, answer, originNs, cursors }: HoverStripProps) {
  const clock = useClock();
  const planned = hit && lanes[hit.row];
  return (
    <Strip testId="hover" aside={<CursorFacts {...cursors} />}>
      {planned === undefined || hit === undefined ? (
        <Hint touch="Tap a lane for exact values · drag to pan">
          Hover over a lane for exact values · drag to pan · Shift+drag to select a range · ? for shortcuts
        </Hint>
      ) : (
        <>
          <Fact name="at">{clock.instant(ns(Math.floor(hit.at)))}</Fact>
          <ItemFacts planned={planned} hit={hit} answer={answer} />
          <Fact name="lane">{laneName(planned)}</Fact>
          {originNs !== null && <Fact name="stamp">{clock.stamp(originNs, ns(Math.floor(hit.at)))}</Fact>}
        </>
      )}
    </Strip>
  );
}

function CursorFacts({ a, b }: HoverStripProps['cursors']) {
  const clock = useClock();
  if (a === undefined) return null;
  return (
    <span className={styles.cursors} data-testid="cursors">
      <span className={b === undefined ? undefined : styles.ends}>
        <Fact name="A">{clock.instant(a)}</Fact>
        {b !== undefined && <Fact name="B">{clock.instant(b)}</Fact>}
      </span>
      {b !== undefined && <Fact name="B − A">{clock.exact(ns(b - a))}</Fact>}
    </span>
  );
}

export function laneName({ cpu, kind, depth, isNested, label, lane }: PlannedLane): string {
  if (lane && isOfOneTask(lane)) return taskLaneName(lane);
  const place = cpu === null ? '' : `CPU ${cpu} `;
  return place + (isNested ? `${kind}, nested ${depth}` : label);
}
