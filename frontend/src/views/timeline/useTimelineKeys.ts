import type { LaneHit } from '../../components/chart/LaneChart';
import type { LaneScene } from '../../components/chart/laneScene';
import { panWindow, zoomWindow, type TimeWindow } from '../../components/chart/timeWindow';
import type { LiveWindow } from '../../components/chart/useLiveWindow';
import { useKeys } from '../../components/keys/keys';
import { ns } from '../../lib/ns';
import type { TimelineState } from '../../viewState/timeline';
import type { SetViewState } from '../../viewState/useViewState';
import type { Direction } from './selection';

interface TimelineKeys {
  readonly live: LiveWindow;
  readonly domain: TimeWindow;
  readonly state: TimelineState;
  readonly setState: SetViewState<TimelineState>;
  readonly selected: LaneHit | undefined;
  readonly hovered: LaneHit | undefined;
  readonly scene: LaneScene | undefined;
  readonly frame: (stretch: TimeWindow) => void;
  readonly step: (direction: Direction) => void;
}

const ZOOM_STEP = 0.8;
const PAN_STEP = 0.1;

/** The keys of the timeline, as people know them from other trace viewers. */
export function useTimelineKeys(page: TimelineKeys): void {
  const { live, domain, state, setState, frame, step } = page;
  const zoom = (factor: number) => live.move(zoomWindow(live.window, factor, anchorOf(page), domain));
  const pan = (share: number) => live.move(panWindow(live.window, share, domain));
  const fit = () => {
    const stretch = state.area ?? selectedStretch(page);
    if (stretch) frame(stretch);
    else live.jump(domain);
  };
  useKeys('Timeline', [
    { keys: ['w', 'W'], does: 'Zoom in, towards the pointer', run: () => zoom(ZOOM_STEP) },
    { keys: ['s', 'S'], does: 'Zoom out', run: () => zoom(1 / ZOOM_STEP) },
    { keys: ['a'], does: 'Earlier', run: () => pan(-PAN_STEP) },
    { keys: ['d'], does: 'Later', run: () => pan(PAN_STEP) },
    { keys: ['A'], does: 'A screen earlier', run: () => pan(-0.9) },
    { keys: ['D'], does: 'A screen later', run: () => pan(0.9) },
    { keys: ['f', 'F'], does: 'Fit the selection, or the whole trace', run: fit },
    { keys: ['Home'], does: 'Fit the whole trace', run: () => live.jump(domain) },
    {
      keys: ['m', 'M'],
      does: 'Mark A and B: the selection, or the pointer',
      run: () => setState(marksAfter(page)),
    },
    { keys: ['ArrowLeft'], does: 'Previous slice of the lane', run: () => step('left') },
    { keys: ['ArrowRight'], does: 'Next slice of the lane', run: () => step('right') },
    { keys: ['ArrowUp'], does: 'Lane above', run: () => step('up') },
    { keys: ['ArrowDown'], does: 'Lane below', run: () => step('down') },
    {
      keys: ['e', 'E'],
      does: 'Show or hide the events',
      run: () => setState({ events: state.events === 'shown' ? 'hidden' : 'shown' }),
    },
    {
      keys: ['Escape'],
      does: 'Drop the selection, then the marks',
      run: () => setState(stateAfterEscape(state)),
    },
  ]);
}

function anchorOf({ live, hovered }: TimelineKeys): number {
  const { start, end } = live.window;
  return hovered && hovered.at >= start && hovered.at <= end ? (hovered.at - start) / (end - start) : 0.5;
}

function selectedStretch({ scene, selected }: TimelineKeys): TimeWindow | undefined {
  const items = selected && scene?.rows[selected.row]?.items;
  const start = items?.start[selected?.item ?? -1];
  const duration = items?.duration[selected?.item ?? -1];
  return start === undefined || duration === undefined ? undefined : { start, end: start + duration };
}

/** A stretch sets both marks at once; the pointer sets A, then B, then starts over. */
function marksAfter(page: TimelineKeys): Partial<TimelineState> {
  const { state, hovered } = page;
  const stretch = state.area ?? selectedStretch(page);
  if (stretch) return { a: ns(stretch.start), b: ns(stretch.end) };
  if (hovered === undefined) return {};
  const at = ns(Math.round(hovered.at));
  return state.a === undefined || state.b !== undefined ? { a: at, b: undefined } : { b: at };
}

function stateAfterEscape(state: TimelineState): Partial<TimelineState> {
  const nothing = { slice: undefined, area: undefined, event: undefined };
  return state.slice || state.area || state.event ? nothing : { a: undefined, b: undefined };
}
