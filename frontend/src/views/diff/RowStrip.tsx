import { useClock } from '../../components/clock/useClock';
import { Fact, Hint, Strip, Subject } from '../../components/strip/Strip';
import { groupDigits, ns } from '../../lib/ns';
import { visibleText } from '../../lib/visibleText';
import { exactDelta, rowWords, seenText } from './rowText';
import type { DiffRow, RowSide } from './diffTree';

interface RowStripProps {
  readonly kind: 'calls' | 'events';
  readonly row: DiffRow | undefined;
}

/** Exact values of the hovered or selected row, always in the same place. */
export function RowStrip({ kind, row }: RowStripProps) {
  const clock = useClock();
  if (row === undefined) {
    return (
      <Strip testId="diff-hover">
        <Hint touch={kind === 'calls' ? 'Tap a call to select it' : 'Tap an event to select it'}>
          {kind === 'calls' ? 'Hover over a call' : 'Hover over an event'} for exact values · click to select
          it here, in the lists and in the tree
        </Hint>
      </Strip>
    );
  }
  const words = rowWords(row);
  return (
    <Strip testId="diff-hover">
      <Subject>{visibleText(row.name)}</Subject>
      <SideFact name="abnormal" side={row.sides.abnormal} />
      <SideFact name="normal" side={row.sides.normal} />
      <Fact name="delta">{exactDelta(row.deltaNs, clock)}</Fact>
      <Fact name="itself">{exactDelta(row.selfDeltaNs, clock)}</Fact>
      {row.spreads && <Fact name="seen">{seenText(row.spreads)}</Fact>}
      {words !== undefined && <Hint>{words}</Hint>}
    </Strip>
  );
}

function SideFact({ name, side }: { readonly name: string; readonly side: RowSide | undefined }) {
  const clock = useClock();
  const folded = side !== undefined && side.count > 1 ? ` in ${groupDigits(side.count)} calls` : '';
  return <Fact name={name}>{side === undefined ? '–' : `${clock.exact(ns(side.ns))}${folded}`}</Fact>;
}
