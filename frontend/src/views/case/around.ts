import type { LatencyCase } from '../../api/latencyTypes';
import { ns } from '../../lib/ns';
import type { NsRange } from '../../viewState/fields';
import { timelineState } from '../../viewState/timeline';
import type { RawSearch } from '../../viewState/viewSpec';

/** The timeline's address at the surroundings of a case, with the case itself as the selected stretch. */
export function timelineAround({ window, t, end }: Pick<LatencyCase, 'window' | 't' | 'end'>): RawSearch {
  return timelineState.write({
    ...timelineState.read({}).state,
    window: stretch(window.start, window.end),
    area: stretch(t, end),
  });
}

/** Inside the trace and never empty, as the timeline wants it. */
function stretch(start: number, end: number): NsRange {
  return { start: ns(Math.max(0, start)), end: ns(Math.max(end, start + 1, 1)) };
}
