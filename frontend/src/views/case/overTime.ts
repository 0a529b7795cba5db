import type { LatencyCase } from '../../api/latencyTypes';
import type { Trace } from '../../api/types';
import { hasLanes } from '../../lib/hasLanes';
import { callsState } from '../../viewState/calls';
import { paths } from '../../viewState/paths';
import { timelineAround } from './caseMarks';

/** Where the case is seen among what came before and after it; nothing ran in a file of measurements. */
export function overTime(trace: Trace, latencyCase: LatencyCase) {
  if (trace.is_measurement) return undefined;
  if (latencyCase.call === null || hasLanes(trace)) {
    const does = 'Open in the timeline';
    return { name: 'timeline', does, to: paths.timeline(trace.id), search: timelineAround(latencyCase) };
  }
  const search = callsState.write({ ...callsState.read({}).state, call: latencyCase.call });
  return { name: 'Calls', does: 'Open in Calls', to: paths.calls(trace.id), search };
}
