import { groupDigits, ns } from '../../lib/ns';
import { percentText } from '../../lib/percent';
import { visibleText } from '../../lib/visibleText';
import type { LaneHit } from '../chart/LaneChart';
import { useClock } from '../clock/useClock';
import { Fact, Subject } from '../strip/Strip';
import type { TimelineAnswer } from './laneAnswer';
import { counterAt, itemName, type PlannedLane } from './laneModel';
import { unrecordedNs } from './unrecorded';

interface ItemFactsProps {
  readonly planned: PlannedLane;
  readonly hit: LaneHit;
  readonly answer: TimelineAnswer;
}

/** What an item of a lane is, to the nanosecond; of a bucket, what it sums up. */
export function ItemFacts({ planned, hit, answer }: ItemFactsProps) {
  const clock = useClock();
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
        <Fact name="longest">{clock.exact(ns(lane.max_ns?.[index] ?? 0))}</Fact>
        <Fact name="busy">{percentText(busy, duration)}</Fact>
        <Fact name="slices">{groupDigits(lane.count?.[index] ?? 0)}</Fact>
        <Fact name="in">{clock.duration(duration)}</Fact>
      </>
    );
  }
  const self = lane.self_ns?.[index];
  const before = unrecordedNs(start, duration);
  return (
    <>
      {name}
      <Fact name="duration">{clock.exact(duration)}</Fact>
      {before > 0 && <Fact name="before the first record">{clock.exact(ns(before))}</Fact>}
      <Fact name="start">{clock.instant(ns(start))}</Fact>
      {self !== undefined && self !== null && self !== duration && (
        <Fact name="self">{clock.exact(ns(self))}</Fact>
      )}
    </>
  );
}

function CounterFacts({ planned, at }: { planned: PlannedLane; at: number }) {
  const clock = useClock();
  const reading = planned.series && counterAt(planned.series, at);
  if (reading === undefined) return null;
  const unit = planned.series?.unit ?? '';
  return (
    <>
      <Subject>{visibleText(`${groupDigits(reading.value)}\u202f${unit}`)}</Subject>
      <Fact name="since">{clock.instant(ns(reading.since))}</Fact>
    </>
  );
}
