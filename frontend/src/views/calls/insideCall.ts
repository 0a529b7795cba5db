import type { CallsAnswer } from '../../components/flame/flameAnswer';
import { findCall, type CallRow } from '../../components/flame/flameChart';

/** What a function took of a call, in itself. */
export interface InsideCall {
  readonly symbol: string;
  readonly self_ns: number;
  readonly count: number;
  /** Its first call, the outermost ones before those in them. */
  readonly id: string;
}

/**
 * The functions that had the time of a call, each without what it calls, the longest first; they add up to the call.
 * Nothing where it is not drawn whole: calls that are too narrow are drawn together.
 */
export function insideCall(
  rows: readonly CallRow[],
  { symbols }: Pick<CallsAnswer, 'symbols'>,
  id: string,
): readonly InsideCall[] | undefined {
  const hit = findCall(rows, id);
  const own = hit && rows[hit.row];
  if (hit?.item === undefined || own?.lane === undefined) return undefined;
  const start = own.lane.t[hit.item] ?? 0;
  const end = start + (own.lane.duration_ns[hit.item] ?? 0);
  const found = new Map<string, InsideCall>();
  for (const { group, depth, lane } of rows) {
    if (group !== own.group || depth < own.depth || lane === undefined) continue;
    for (const [item, at] of lane.t.entries()) {
      const isOwn = lane === own.lane ? item === hit.item : at >= start && at < end;
      if (!isOwn) continue;
      const [self, callId] = [lane.self_ns?.[item], lane.call_id?.[item]];
      if (lane.detail === 'buckets' || self === undefined || callId === undefined) return undefined;
      const symbol = symbols[lane.symbol_idx[item] ?? -1] ?? '?';
      found.set(symbol, together(found.get(symbol), { symbol, self_ns: self, count: 1, id: callId }));
    }
  }
  return [...found.values()].toSorted((a, b) => b.self_ns - a.self_ns);
}

/** The same function once more. */
const together = (before: InsideCall | undefined, one: InsideCall): InsideCall =>
  before === undefined ? one : { ...before, self_ns: before.self_ns + one.self_ns, count: before.count + 1 };
