import { useCallback, useMemo, useState } from 'react';
import { SIDE_NAMES, type Sides } from '../../api/diff';
import type { LaneHit } from '../../components/chart/LaneChart';
import { frameWindow, type TimeWindow } from '../../components/chart/timeWindow';
import { useLiveWindow } from '../../components/chart/useLiveWindow';
import { useWindowKeys } from '../../components/chart/useWindowKeys';
import { useClock } from '../../components/clock/useClock';
import { useTheme } from '../../components/theme/theme';
import { ns } from '../../lib/ns';
import type { DiffState } from '../../viewState/diff';
import type { SetViewState } from '../../viewState/useViewState';
import { diffScene } from './diffScene';
import type { DiffTree } from './diffTree';

export interface DiffChartsInput {
  readonly tree: DiffTree;
  /** How long each side took. */
  readonly totals: Sides<number>;
  /** Smaller differences recede. */
  readonly noiseFloorNs: number;
  /** The rows of the largest contribution. */
  readonly causes: ReadonlySet<number>;
  readonly state: DiffState;
  readonly setState: SetViewState<DiffState>;
}

/** The drawing of both sides, the window that is in sight, and the keys that move it. */
export function useDiffCharts(input: DiffChartsInput, isNarrow: boolean) {
  const { tree, totals, noiseFloorNs, causes, state, setState } = input;
  const theme = useTheme();
  const clock = useClock();
  const [at, setAt] = useState<number>();
  const { abnormal, normal } = totals;
  const drawing = useMemo(
    () =>
      diffScene({
        rows: tree.rows,
        totals: { abnormal, normal },
        colour: state.colour,
        noiseFloorNs,
        causes,
        clock,
        theme,
        isNarrow,
      }),
    [tree, abnormal, normal, state.colour, noiseFloorNs, causes, clock, theme, isNarrow],
  );
  const domain = useMemo(() => roomBeside(drawing.endNs), [drawing.endNs]);
  const commit = useCallback(
    (next: TimeWindow) => {
      const isWhole = next.start <= domain.start && next.end >= domain.end;
      const window = { start: ns(Math.round(next.start)), end: ns(Math.round(next.end)) };
      setState({ window: isWhole ? undefined : window });
    },
    [domain, setState],
  );
  const live = useLiveWindow(state.window ?? domain, commit);
  const fit = () => {
    const boxes = SIDE_NAMES.flatMap((side) => drawing.boxes[side].get(state.row ?? -1) ?? []);
    if (boxes.length === 0) return live.jump(domain);
    const start = Math.min(...boxes.map((box) => box.start));
    const end = Math.max(...boxes.map((box) => box.end));
    return live.jump(frameWindow(start, end, domain));
  };
  useWindowKeys('Comparison', live, domain, at, fit);
  const rowAt = (hit: LaneHit | undefined) =>
    hit?.item === undefined ? undefined : drawing.drawn[hit.row]?.[hit.item]?.id;
  return { drawing, domain, live, rowAt, setAt };
}

/** Everything, and a little room so that the end of the longer side is seen to be one. */
function roomBeside(endNs: number): TimeWindow {
  return { start: 0, end: Math.ceil(endNs * 1.01) };
}
