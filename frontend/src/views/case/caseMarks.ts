import type { LatencyCase } from '../../api/latencyTypes';
import type { LaneMark } from '../../components/chart/LaneOverlay';
import { frameWindow, MIN_SPAN_NS, spanOf, type TimeWindow } from '../../components/chart/timeWindow';
import { visibleText } from '../../lib/visibleText';

/** What the small timeline shows first: the surroundings that the server chose, as far as the trace goes. */
export function homeWindow({ window, t, end }: LatencyCase, domain: TimeWindow): TimeWindow {
  const start = Math.max(window.start, domain.start);
  const stop = Math.min(window.end, domain.end);
  return stop - start < MIN_SPAN_NS ? frameWindow(t, end, domain) : { start, end: stop };
}

/** Two marks that are nearer than this share of the window would write over each other. */
const NEAR = 0.12;

/** Lines at the start of the case, where its widest stage begins, and at its end, with the names of those moments. */
export function caseMarks(
  { t, end, stages }: Pick<LatencyCase, 't' | 'end' | 'stages'>,
  window: TimeWindow,
): readonly LaneMark[] {
  const room = NEAR * spanOf(window);
  const widest = stages.reduce<LatencyCase['stages'][number] | undefined>(
    (most, stage) => (most === undefined || stage.duration_ns > most.duration_ns ? stage : most),
    undefined,
  );
  const isApart = widest && widest.start_ns - t > room && end - widest.start_ns > room;
  return [
    mark('start', t, stages[0]?.from ?? 'start'),
    ...(isApart ? [mark('widest', widest.start_ns, widest.from)] : []),
    mark('end', end, end - t > room ? (stages.at(-1)?.to ?? 'end') : undefined),
  ];
}

function mark(id: string, at: number, text: string | undefined): LaneMark {
  const kind = id === 'widest' ? 'note' : 'cursor';
  return { id, at, kind, ...(text !== undefined && { text: visibleText(text) }) };
}
