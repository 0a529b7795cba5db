import type { CallsAnswer } from './flameAnswer';
import type { LaneHit } from '../chart/LaneChart';
import { useClock } from '../clock/useClock';
import { Fact, Hint, Strip, Subject } from '../strip/Strip';
import { groupDigits, ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import type { CallRow } from './flameChart';

interface CallStripProps {
  readonly hit: LaneHit | undefined;
  readonly rows: readonly CallRow[];
  readonly answer: CallsAnswer;
  readonly originNs: string | null;
  /** What a double click shows. */
  readonly whole: 'the whole trace' | 'the whole call';
}

/** Exact values of the call under the pointer, always in the same place. */
export function CallStrip({ hit, rows, answer, originNs, whole }: CallStripProps) {
  const clock = useClock();
  const row = hit && rows[hit.row];
  if (hit === undefined || row === undefined) {
    return (
      <Strip testId="hover">
        <Hint touch={`Tap to zoom · double-tap to show ${whole}`}>
          {`Hover over a call for exact values · click to zoom · double-click to show ${whole} · ? for shortcuts`}
        </Hint>
      </Strip>
    );
  }
  const { lane } = row;
  const index = hit.item;
  return (
    <Strip testId="hover">
      <Fact name="at">{clock.instant(ns(Math.floor(hit.at)))}</Fact>
      {lane && index !== undefined && (
        <>
          <Subject>{visibleText(answer.symbols[lane.symbol_idx[index] ?? -1] ?? '?')}</Subject>
          {lane.detail === 'buckets' ? (
            <>
              <Fact name="longest">{clock.exact(ns(lane.max_ns?.[index] ?? 0))}</Fact>
              <Fact name="calls">{groupDigits(lane.count?.[index] ?? 0)}</Fact>
              <Fact name="in">{clock.duration(ns(lane.duration_ns[index] ?? 0))}</Fact>
            </>
          ) : (
            <>
              <Fact name="total">{clock.exact(ns(lane.duration_ns[index] ?? 0))}</Fact>
              <Fact name="self">
                {clock.exact(ns(lane.self_ns?.[index] ?? lane.duration_ns[index] ?? 0))}
              </Fact>
              <Fact name="depth">{row.depth}</Fact>
            </>
          )}
        </>
      )}
      <Fact name="in">{row.group}</Fact>
      {originNs !== null && <Fact name="stamp">{clock.stamp(originNs, ns(Math.floor(hit.at)))}</Fact>}
    </Strip>
  );
}
