import type { TraceWindow } from '../../../components/chart/useTraceWindow';
import { useKeys } from '../../../components/keys/keys';
import type { PlannedLane } from '../../../components/lanes/laneModel';
import { isOfOneTask } from '../../../components/lanes/taskLanes';
import { useNotice } from '../../../components/notices/notices';
import { ns } from '../../../lib/ns';
import type { SliceId } from '../../../viewState/itemIds';
import { LANE_PX, type LaneMove, type TimelineState } from '../../../viewState/timeline';
import type { SetViewState } from '../../../viewState/useViewState';
import { laneIds, placeLane } from './arrangeLanes';
import { extremeOf } from './laneValue';

/** What can be done with lanes. */
export interface LaneArrangement {
  readonly isPinned: (id: string) => boolean;
  readonly pin: (id: string) => void;
  readonly place: (move: LaneMove) => void;
  /** One lane up or down. */
  readonly shift: (id: string, by: -1 | 1) => void;
  readonly hide: (id: string) => void;
  readonly show: (id: string) => void;
  readonly grow: (by: -1 | 1) => void;
  readonly isArranged: boolean;
  readonly reset: () => void;
  readonly goTo: (lane: PlannedLane, which: 'most' | 'least') => void;
}

interface LaneParts {
  readonly state: TimelineState;
  readonly setState: SetViewState<TimelineState>;
  readonly lanes: readonly PlannedLane[] | undefined;
  readonly view: TraceWindow;
  /** Row of the selected slice, or of what is pointed at. */
  readonly row: number | undefined;
  /** Pixels of a lane as it is drawn. */
  readonly lanePx: number | undefined;
}

const GROW_PX = 8;
/** Every lane in its own place. */
export const ALL_LANES = { pin: [], order: [], without: [], height: undefined, hide: [] } as const;
const CHANGE = { history: 'push' } as const;

/** What somebody does with the lanes, which goes into the URL; each change is a step that Back undoes. */
export function useLaneArrangement(parts: LaneParts): LaneArrangement {
  const { state, setState, view, row, lanePx } = parts;
  const lanes = parts.lanes ?? [];
  const say = useNotice();
  const { pin, order, without, hide } = state;
  const place = (move: LaneMove) => setState(placeLane(state, move), CHANGE);
  const shift = (id: string, by: -1 | 1) => {
    const ids = laneIds(lanes);
    const at = ids.indexOf(id);
    const to = at + by;
    if (at < 0 || to < 0 || to >= ids.length) return;
    // Down by one is above the lane after the next.
    place({ id, above: ids[by < 0 ? to : to + 1] });
  };
  const grow = (by: -1 | 1) => {
    const height = (state.height ?? lanePx ?? LANE_PX.least) + by * GROW_PX;
    setState({ height: Math.max(LANE_PX.least, Math.min(LANE_PX.most, height)) });
  };
  const goTo = (lane: PlannedLane, which: 'most' | 'least') => {
    const found = extremeOf(lane, view.live.window, which);
    if (found === undefined) {
      say(
        which === 'least'
          ? 'Zoom in until single slices are drawn: of many in one pixel, only the longest is known.'
          : 'Nothing in view on this lane.',
      );
      return;
    }
    setState({
      slice: found.isSlice ? sliceOf(lane, found.start) : undefined,
      event: undefined,
      area: undefined,
    });
    view.frame(found);
  };
  const reset = () => setState(ALL_LANES, CHANGE);
  const here = row === undefined ? undefined : lanes[row];
  useKeys('Timeline', [
    {
      keys: ['>'],
      does: 'Longest slice of the lane, or its highest value',
      run: () => here && goTo(here, 'most'),
    },
    {
      keys: ['<'],
      does: 'Shortest slice of the lane, or its lowest value',
      run: () => here && goTo(here, 'least'),
    },
    { keys: ['+'], does: 'Higher lanes', run: () => grow(1) },
    { keys: ['-'], does: 'Lower lanes', run: () => grow(-1) },
    { keys: [], does: 'Reset the lanes', run: reset },
    { keys: ['Alt+ArrowUp'], does: 'On the name of a lane: move it up' },
    { keys: ['Alt+ArrowDown'], does: 'On the name of a lane: move it down' },
  ]);
  return {
    isPinned: (id) => pin.includes(id),
    pin: (id) =>
      setState({ pin: pin.includes(id) ? pin.filter((other) => other !== id) : [...pin, id] }, CHANGE),
    place,
    shift,
    hide: (id) => setState({ without: [...without, id] }, CHANGE),
    show: (id) => setState({ without: without.filter((other) => other !== id) }, CHANGE),
    grow,
    isArranged: pin.length + order.length + without.length + hide.length > 0 || state.height !== undefined,
    reset,
    goTo,
  };
}

function sliceOf({ lane, cpu, kind, depth }: PlannedLane, start: number): SliceId | undefined {
  if (lane && isOfOneTask(lane)) return { cpu: 0, kind, depth, pid: lane.task.pid, t: ns(start) };
  return cpu === null ? undefined : { cpu, kind, depth, t: ns(start) };
}
