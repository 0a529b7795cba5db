import type { TimelineAnswer } from '../../api/lanes';
import type { LaneHit } from '../../components/chart/LaneChart';
import { durationText, exactIn, exactNs, groupDigits, ns, type Ns } from '../../lib/ns';
import { instantText } from '../../lib/stamp';
import { Fact, Hint, Strip, Subject } from '../../components/strip/Strip';
import { visibleText } from '../../lib/visibleText';
import styles from './Timeline.module.css';
import { counterAt, itemName, type PlannedLane } from '../../components/lanes/laneModel';

interface HoverStripProps {
  readonly hit: LaneHit | undefined;
  readonly lanes: readonly PlannedLane[];
  readonly answer: TimelineAnswer;
  readonly originNs: string | null;
  readonly cursors: { readonly a: Ns | undefined; readonly b: Ns | undefined };
}

/** Exact values of what is under the pointer, always in the same place and of the same height. */
export function HoverStrip({ hit, lanes, answer, originNs, cursors }: HoverStripProps) {
  const planned = hit && lanes[hit.row];
  return (
    <Strip testId="hover">
      {planned === undefined || hit === undefined ? (
        <Hint>
          Hover over a lane for exact values · drag to pan · Shift+drag to select a range · ? for shortcuts
        </Hint>
      ) : (
        <>
          <Fact name="at">{instantText(hit.at, originNs)}</Fact>
          <Fact name="lane">{laneName(planned)}</Fact>
          <ItemFacts planned={planned} hit={hit} answer={answer} />
        </>
      )}
      <CursorFacts {...cursors} />
    </Strip>
  );
}

function CursorFacts({ a, b }: HoverStripProps['cursors']) {
  if (a === undefined) return null;
  return (
    <span className={styles.cursors} data-testid="cursors">
      <Fact name="A">{`${exactIn(a, 's')}\u202fs`}</Fact>
      {b !== undefined && (
        <>
          <Fact name="B">{`${exactIn(b, 's')}\u202fs`}</Fact>
          <Fact name="B − A">{exactNs(ns(b - a))}</Fact>
        </>
      )}
    </span>
  );
}

export function laneName({ cpu, kind, depth, label }: PlannedLane): string {
  const place = cpu === null ? '' : `CPU ${cpu} `;
  return place + (depth > 0 ? `${kind}, nested ${depth}` : label);
}

function ItemFacts({ planned, hit, answer }: { planned: PlannedLane; hit: LaneHit; answer: TimelineAnswer }) {
  if (planned.series) return <CounterFacts planned={planned} at={hit.at} />;
  const { lane } = planned;
  const index = hit.item;
  if (lane === undefined || index === undefined) return null;
  const start = lane.t[index] ?? 0;
  const duration = ns(lane.duration_ns[index] ?? 0);
  const name = <Subject>{itemName(lane, index, answer)}</Subject>;
  if (lane.detail === 'buckets') {
    const busy = lane.busy_ns?.[index] ?? 0;
    return (
      <>
        {name}
        <Fact name="in">{durationText(duration)}</Fact>
        <Fact name="slices">{groupDigits(lane.count?.[index] ?? 0)}</Fact>
        <Fact name="busy">{`${((100 * busy) / Math.max(1, duration)).toFixed(1)}\u202f%`}</Fact>
        <Fact name="longest">{exactNs(ns(lane.max_ns?.[index] ?? 0))}</Fact>
      </>
    );
  }
  const self = lane.self_ns?.[index];
  return (
    <>
      {name}
      <Fact name="start">{exactNs(ns(start))}</Fact>
      <Fact name="length">{exactNs(duration)}</Fact>
      {self !== undefined && self !== null && self !== duration && (
        <Fact name="self">{exactNs(ns(self))}</Fact>
      )}
    </>
  );
}

function CounterFacts({ planned, at }: { planned: PlannedLane; at: number }) {
  const reading = planned.series && counterAt(planned.series, at);
  if (reading === undefined) return null;
  const unit = planned.series?.unit ?? '';
  return (
    <>
      <Subject>{visibleText(`${groupDigits(reading.value)}\u202f${unit}`)}</Subject>
      <Fact name="since">{exactNs(ns(reading.since))}</Fact>
    </>
  );
}
