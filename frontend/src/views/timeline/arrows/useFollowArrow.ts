import { useQueryClient } from '@tanstack/react-query';
import { useRef, type RefObject } from 'react';
import type { LaneChartHandle } from '../../../components/chart/LaneChart';
import { centreWindow } from '../../../components/chart/timeWindow';
import type { TraceWindow } from '../../../components/chart/useTraceWindow';
import type { PlannedLane } from '../../../components/lanes/laneModel';
import { useKeys } from '../../../components/keys/keys';
import { useNotice } from '../../../components/notices/notices';
import { ns } from '../../../lib/ns';
import { problemOf } from '../../../lib/problem';
import type { TimelineState } from '../../../viewState/timeline';
import type { SetViewState } from '../../../viewState/useViewState';
import { endsOf, type Arrow, type ArrowPlace, type ArrowSide } from './arrow';
import { arrowRow } from './arrowRow';
import { followArrow } from './followArrow';
import type { Arrows } from './useArrows';

interface FollowParts {
  readonly traceId: string;
  readonly arrows: Arrows;
  readonly place: ArrowPlace | undefined;
  readonly state: TimelineState;
  readonly setState: SetViewState<TimelineState>;
  readonly view: TraceWindow;
  readonly lanes: readonly PlannedLane[] | undefined;
  readonly chart: RefObject<LaneChartHandle | null>;
}

/** Moves the selection to the other end of an arrow: of the nearest by a key, of any by `go`. Back undoes each step. */
export function useFollowArrow(parts: FollowParts) {
  const { traceId, arrows, place, state, setState, view } = parts;
  const client = useQueryClient();
  const say = useNotice();
  const isBusy = useRef(false);
  const kinds = arrows.kinds.map(({ name }) => name).filter((name) => !state.arrowsOff.includes(name));
  const go = (arrow: Arrow, side: ArrowSide) => {
    const { there } = endsOf(arrow, side);
    const { window } = view.live;
    const isInView = there.t >= window.start && there.t < window.end;
    const next = isInView ? undefined : centreWindow(window, there.t, view.domain);
    setState(
      {
        event: { cpu: there.cpu, t: ns(there.t) },
        slice: undefined,
        area: undefined,
        ...(next && { window: { start: ns(Math.round(next.start)), end: ns(Math.round(next.end)) } }),
      },
      { history: 'push' },
    );
    const row = parts.lanes && arrowRow(parts.lanes, arrow, side === 'forward' ? 'to' : 'from');
    if (row !== undefined) parts.chart.current?.reveal(row);
  };
  const follow = async (side: ArrowSide) => {
    if (place === undefined) {
      say('Select a slice or an event first: [ and ] follow its arrows.');
      return;
    }
    if (isBusy.current || kinds.length === 0) return;
    isBusy.current = true;
    try {
      const arrow = await followArrow(client, { traceId, kinds: kinds.join(',') }, place, side);
      if (arrow) go(arrow, side);
      else say(side === 'forward' ? 'No arrow begins here.' : 'No arrow ends here.');
    } catch (error) {
      say(problemOf(error).detail ?? problemOf(error).title);
    } finally {
      isBusy.current = false;
    }
  };
  useKeys('Timeline', [
    {
      keys: ['['],
      does: 'Follow the arrow back to what caused the selection',
      run: () => void follow('backward'),
    },
    { keys: [']'], does: 'Follow the arrow to what the selection causes', run: () => void follow('forward') },
  ]);
  return go;
}
