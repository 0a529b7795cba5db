import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { callTreeQuery } from '../../../api/calls';
import type { LaneHit } from '../../../components/chart/LaneChart';
import { AXIS_HEIGHT_PX } from '../../../components/chart/laneScene';
import { shareTicks } from '../../../components/chart/timeTicks';
import { useLiveWindow } from '../../../components/chart/useLiveWindow';
import { useWindowKeys } from '../../../components/chart/useWindowKeys';
import { useKeys } from '../../../components/keys/keys';
import { useTheme } from '../../../components/theme/theme';
import type { CallsPart } from '../Calls';
import { treeRequest } from '../treeRequest';
import { flameGraphScene } from '../flameGraph';
import { findInSandwich, layoutSandwich, pathTowardsCentre, sandwichPath, type Sandwich } from './sandwich';

/** Both halves around the chosen function, as soon as both are there. */
export function useSandwichTrees({ trace, state }: Pick<CallsPart, 'trace' | 'state'>) {
  const of = { ...treeRequest(state), root: state.of };
  const [callers, callees] = useQueries({
    queries: [
      { ...callTreeQuery(trace.id, { ...of, invert: true }), enabled: state.of !== '' },
      { ...callTreeQuery(trace.id, { ...of, invert: false }), enabled: state.of !== '' },
    ],
  });
  const above = callers.data;
  const below = callees.data;
  const sandwich = useMemo(() => above && below && layoutSandwich(above, below), [above, below]);
  const failed = callers.isError ? callers : callees;
  return { sandwich, failed, isComplete: !callers.isPlaceholderData && !callees.isPlaceholderData };
}

interface SandwichChartParts extends Pick<CallsPart, 'state' | 'setState'> {
  readonly sandwich: Sandwich;
  readonly hovered: LaneHit | undefined;
  /** Pixels of the chart from top to bottom. */
  readonly height: number;
}

const NOT_WRITTEN = () => undefined;

/** The sandwich as a scene, the node that fills the screen, and the keys that lead in and out. */
export function useSandwichChart({ state, setState, sandwich, hovered, height }: SandwichChartParts) {
  const { name, palette } = useTheme();
  const scene = useMemo(
    () => flameGraphScene(sandwich, state.q, name, palette.line, height - AXIS_HEIGHT_PX, groupsOf(sandwich)),
    [sandwich, state.q, name, palette, height],
  );
  const domain = useMemo(() => ({ start: 0, end: sandwich.total }), [sandwich]);
  const ticksFor = useMemo(() => shareTicks(sandwich.total), [sandwich]);
  const focused = useMemo(() => findInSandwich(sandwich, state.focus), [sandwich, state.focus]);
  const live = useLiveWindow(focused?.window ?? domain, NOT_WRITTEN);
  const zoomTo = useCallback((focus: string) => setState({ focus }, { history: 'push' }), [setState]);
  const placedAt = (hit: LaneHit | undefined) =>
    hit?.item === undefined ? undefined : sandwich.rows[hit.row]?.[hit.item];
  const focus = (hit: LaneHit | undefined) => {
    const placed = placedAt(hit);
    if (hit && placed) zoomTo(sandwichPath(sandwich, hit.row, placed));
  };
  useWindowKeys('Sandwich', live, domain, hovered?.at, () => zoomTo(''));
  useKeys('Sandwich', [
    {
      keys: ['Escape', 'Backspace'],
      does: 'Zoom out by one function',
      run: () => zoomTo(pathTowardsCentre(state.focus)),
    },
  ]);
  const selected = focused && {
    row: focused.row,
    item: sandwich.rows[focused.row]?.indexOf(focused.node) ?? -1,
    at: focused.window.start,
  };
  return { scene, domain, ticksFor, live, focused, focus, zoomTo, placedAt, selected };
}

function groupsOf({ centre, rows }: Sandwich): ReadonlyMap<number, string> {
  const groups = new Map([[centre, 'function']]);
  if (centre > 0) groups.set(0, 'callers');
  if (centre + 1 < rows.length) groups.set(centre + 1, 'callees');
  return groups;
}
