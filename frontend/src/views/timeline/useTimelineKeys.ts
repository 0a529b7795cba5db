import type { LaneHit } from '../../components/chart/LaneChart';
import { itemStretch, type LaneScene } from '../../components/chart/laneScene';
import { spanOf, type TimeWindow } from '../../components/chart/timeWindow';
import type { TraceWindow } from '../../components/chart/useTraceWindow';
import { useWindowKeys } from '../../components/chart/useWindowKeys';
import { useKeys } from '../../components/keys/keys';
import { ns } from '../../lib/ns';
import type { TimelineState } from '../../viewState/timeline';
import type { SetViewState } from '../../viewState/useViewState';
import { snapToEdge } from './lanes/snapToEdge';
import type { Direction } from './selection';

interface TimelineKeys {
  readonly view: TraceWindow;
  readonly state: TimelineState;
  readonly setState: SetViewState<TimelineState>;
  readonly selected: LaneHit | undefined;
  readonly hovered: LaneHit | undefined;
  readonly scene: LaneScene | undefined;
  readonly step: (direction: Direction) => void;
  /** Of the plot. */
  readonly widthPx: number;
}

/** The keys of the timeline, as people know them from other trace viewers. */
export function useTimelineKeys(page: TimelineKeys): void {
  const { state, setState, step } = page;
  const { live, domain, frame } = page.view;
  const fit = () => {
    const stretch = state.area ?? selectedStretch(page);
    if (stretch) frame(stretch);
    else live.jump(domain);
  };
  useWindowKeys('Timeline', live, domain, page.hovered?.at, fit);
  useKeys('Timeline', [
    {
      keys: ['m', 'M'],
      does: 'Set marks A and B at the selection or the pointer',
      run: () => setState(marksAfter(page)),
    },
    { keys: ['ArrowLeft', ','], does: 'Previous slice in the lane', run: () => step('left') },
    { keys: ['ArrowRight', '.'], does: 'Next slice in the lane', run: () => step('right') },
    { keys: ['ArrowUp'], does: 'Lane above', run: () => step('up') },
    { keys: ['ArrowDown'], does: 'Lane below', run: () => step('down') },
    {
      keys: ['e', 'E'],
      does: 'Show or hide the events',
      run: () => setState({ events: state.events === 'shown' ? 'hidden' : 'shown' }),
    },
    {
      keys: ['Escape'],
      does: 'Clear the selection, then the marks, then the case',
      run: () => setState(stateAfterEscape(state)),
    },
  ]);
}

function selectedStretch({ scene, selected }: TimelineKeys): TimeWindow | undefined {
  return scene && itemStretch(scene, selected?.row, selected?.item);
}

/** A stretch sets both marks at once; the pointer sets A, then B, then starts over. */
function marksAfter(page: TimelineKeys): Partial<TimelineState> {
  const { state, hovered } = page;
  const stretch = state.area ?? selectedStretch(page);
  if (stretch) return { a: ns(stretch.start), b: ns(stretch.end) };
  if (hovered === undefined) return {};
  const at = ns(Math.round(snapped(page, hovered)));
  return state.a === undefined || state.b !== undefined ? { a: at, b: undefined } : { b: at };
}

const SNAP_PX = 8;

/** Where a mark is set: at an edge on the lane that is pointed at, if one is near. */
function snapped({ scene, view, widthPx }: TimelineKeys, { row, at }: LaneHit): number {
  const items = scene?.rows[row]?.items;
  const within = (SNAP_PX * spanOf(view.live.window)) / Math.max(1, widthPx);
  return items === undefined ? at : snapToEdge(items, at, within);
}

function stateAfterEscape(state: TimelineState): Partial<TimelineState> {
  const nothing = { slice: undefined, area: undefined, event: undefined };
  if (state.slice || state.area || state.event) return nothing;
  return state.a === undefined && state.b === undefined ? { case: '' } : { a: undefined, b: undefined };
}
