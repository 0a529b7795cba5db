import { useCallback, useMemo } from 'react';
import type { CallTreeAnswer } from '../../api/calls';
import type { LaneHit } from '../../components/chart/LaneChart';
import { AXIS_HEIGHT_PX } from '../../components/chart/laneScene';
import { shareTicks } from '../../components/chart/timeTicks';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { useLiveWindow } from '../../components/chart/useLiveWindow';
import { useWindowKeys } from '../../components/chart/useWindowKeys';
import { useKeys } from '../../components/keys/keys';
import { useTheme } from '../../components/theme/theme';
import type { CallsPart } from './Calls';
import { findPath, flameGraphScene, layoutTree, pathOf, type PlacedNode } from './flameGraph';

interface FlameGraphParts extends Pick<CallsPart, 'state' | 'setState'> {
  readonly answer: CallTreeAnswer;
  readonly hovered: LaneHit | undefined;
  /** Pixels of the chart from top to bottom. */
  readonly height: number;
}

const NOT_WRITTEN = () => undefined;

/** The merged calls laid out, the function that fills the screen, and the keys that lead in and out. */
export function useFlameGraph({ state, setState, answer, hovered, height }: FlameGraphParts) {
  const { name, palette } = useTheme();
  const layout = useMemo(() => layoutTree(answer), [answer]);
  const scene = useMemo(
    () => flameGraphScene(layout, state.q, name, palette.line, height - AXIS_HEIGHT_PX),
    [layout, state.q, name, palette, height],
  );
  const domain = useMemo<TimeWindow>(() => ({ start: 0, end: layout.total }), [layout]);
  const ticksFor = useMemo(() => shareTicks(layout.total), [layout]);
  const focused = useMemo(
    () => (state.focus === '' ? undefined : findPath(layout, state.focus)),
    [layout, state.focus],
  );
  // Where a path leads is in the URL; how one pans around in it is not.
  const live = useLiveWindow(focused?.window ?? domain, NOT_WRITTEN);
  const focus = useCallback(
    (placed: PlacedNode | undefined) =>
      setState({ focus: placed ? pathOf(answer, placed.index) : '' }, { history: 'push' }),
    [answer, setState],
  );
  const placedAt = (hit: LaneHit | undefined) =>
    hit?.item === undefined ? undefined : layout.rows[hit.row]?.[hit.item];
  useWindowKeys('Merged calls', live, domain, hovered?.at, () => focus(undefined));
  useKeys('Merged calls', [
    {
      keys: ['Escape', 'Backspace'],
      does: 'Zoom out by one function',
      run: () => setState({ focus: state.focus.split(';').slice(0, -1).join(';') }, { history: 'push' }),
    },
  ]);
  const selected = focused && {
    row: focused.node.depth,
    item: layout.rows[focused.node.depth]?.indexOf(focused.node) ?? -1,
    at: focused.window.start,
  };
  return { scene, domain, ticksFor, live, focus, focused, placedAt, selected };
}
