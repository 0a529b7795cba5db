import type { CallsAnswer } from '../../../api/calls';
import type { LaneHit } from '../../../components/chart/LaneChart';
import { overlaps, type TimeWindow } from '../../../components/chart/timeWindow';
import { isFoundBy, type CallRow } from '../../../components/flame/flameChart';

/** The calls of a window that a search finds, by their start, callers first; where they are summed up, the cells. */
export function chartMatches(
  rows: readonly CallRow[],
  { symbols }: CallsAnswer,
  window: TimeWindow,
  q: string,
): readonly LaneHit[] {
  if (q === '') return [];
  const isFound = symbols.map((symbol) => isFoundBy(q, symbol));
  return rows
    .flatMap(({ lane }, row) =>
      (lane?.t ?? []).flatMap((at, item): LaneHit[] => {
        const isInSight = overlaps(window, at, at + (lane?.duration_ns[item] ?? 0));
        return isInSight && isFound[lane?.symbol_idx[item] ?? -1] === true ? [{ row, item, at }] : [];
      }),
    )
    .toSorted((a, b) => a.at - b.at || a.row - b.row);
}
