import type { ChainLink } from '../../api/chain';
import type { LatencyCase } from '../../api/latencyTypes';
import type { TimeWindow } from '../../components/chart/timeWindow';

/** What is lit: a stretch on the ruler and the lanes, and the events that it was concluded from. */
export interface Lit extends TimeWindow {
  /** `stage-3`; `link-2`, and `link-2.1` for the first link of what it hangs on. */
  readonly id: string;
  /** By number in the trace. */
  readonly events: ReadonlySet<number>;
}

const NONE: ReadonlySet<number> = new Set();

/** What an id of a stage or a link of this case stands for; nothing where it has no such stage or link. */
export function litBy(
  { stages, why = [], events }: Pick<LatencyCase, 'stages' | 'why' | 'events'>,
  id: string,
): Lit | undefined {
  const [, kind, path = ''] = /^(stage|link)-(\d[\d.]*)$/.exec(id) ?? [];
  const numbers = path.split('.').map(Number);
  if (kind === 'stage') {
    const stage = stages[(numbers[0] ?? 0) - 1];
    if (stage === undefined) return undefined;
    const end = stage.start_ns + stage.duration_ns;
    const ends = events.filter(({ t, is_key }) => is_key && (t === stage.start_ns || t === end));
    return { id, start: stage.start_ns, end, events: new Set(ends.map(({ seq }) => seq)) };
  }
  const link = kind === 'link' ? linkAt(why, numbers) : undefined;
  if (link === undefined) return undefined;
  const evidence = link.evidence.map(({ seq }) => seq);
  return {
    id,
    start: link.start,
    end: link.start + link.duration_ns,
    events: evidence.length > 0 ? new Set(evidence) : NONE,
  };
}

function linkAt(why: readonly ChainLink[], [first = 0, ...rest]: readonly number[]): ChainLink | undefined {
  const link = why[first - 1];
  return rest.length === 0 || link === undefined ? link : linkAt(link.deeper?.links ?? [], rest);
}
