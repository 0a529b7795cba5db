import type { LatencyCase } from '../../api/latencyTypes';
import type { LaneMark } from '../../components/chart/LaneOverlay';
import { frameWindow, MIN_SPAN_NS, spanOf, type TimeWindow } from '../../components/chart/timeWindow';
import { visibleText } from '../../lib/visibleText';
import { ns } from '../../lib/ns';
import type { NsRange } from '../../viewState/fields';
import { timelineState } from '../../viewState/timeline';
import type { RawSearch } from '../../viewState/viewSpec';

const LANES_PX = { oneCpu: 200, twoCpus: 288 } as const;

/** Pixels for the lanes around a case, known before the lanes are, so that nothing moves when they come. */
export function lanesHeight({ cpu, start_cpu }: Pick<LatencyCase, 'cpu' | 'start_cpu'>): number {
  return (start_cpu ?? cpu) === cpu ? LANES_PX.oneCpu : LANES_PX.twoCpus;
}

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
