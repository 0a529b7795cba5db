import type { CallTreeAnswer } from '../../api/calls';
import { useClock } from '../../components/clock/useClock';
import { Fact, Hint, Strip, Subject } from '../../components/strip/Strip';
import { countText, groupDigits, ns } from '../../lib/ns';
import { percentText } from '../../lib/percent';
import { visibleText } from '../../lib/visibleText';
import type { PlacedNode } from './flameGraph';

/** Exact values of the function under the pointer, or of the one that fills the screen. */
export function NodeStrip({
  placed,
  answer,
  above = 'of its parent',
}: {
  readonly placed: PlacedNode | undefined;
  readonly answer: CallTreeAnswer;
  /** What its share of the node that it hangs from is called. */
  readonly above?: string | undefined;
}) {
  const clock = useClock();
  if (placed === undefined) {
    return (
      <Strip testId="hover">
        <Hint touch="Tap a function to zoom to it · double-tap to show all">
          {`${countText(answer.call_count, 'call')}, ${clock.duration(ns(answer.total_ns))} · click a function to zoom to it · double-click to show all`}
        </Hint>
      </Strip>
    );
  }
  const { node } = placed;
  const parent = node.parent === null ? undefined : answer.nodes[node.parent];
  return (
    <Strip testId="hover">
      <Subject>{visibleText(placed.symbol)}</Subject>
      <Fact name="of all">{percentText(node.total_ns, answer.total_ns)}</Fact>
      {parent && <Fact name={above}>{percentText(node.total_ns, parent.total_ns)}</Fact>}
      <Fact name="total">{clock.exact(ns(node.total_ns))}</Fact>
      <Fact name="self">{clock.exact(ns(node.self_ns))}</Fact>
      <Fact name="calls">{groupDigits(node.count)}</Fact>
      <Spread name="min" value={node.min_ns} />
      <Spread name="median" value={node.p50_ns} />
      <Spread name="max" value={node.max_ns} />
    </Strip>
  );
}

/** Of calls that are merged anew, because only some of them are meant, the spread is not known. */
function Spread({ name, value }: { readonly name: string; readonly value: number | null }) {
  const clock = useClock();
  return value === null ? null : <Fact name={name}>{clock.duration(ns(value))}</Fact>;
}
