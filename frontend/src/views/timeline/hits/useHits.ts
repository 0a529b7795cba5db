import { useState } from 'react';
import { useMatches, type EventCountsRequest, type Matches } from '../../../api/eventCounts';
import { findEvent, type TraceEvent } from '../../../api/events';
import type { Trace } from '../../../api/types';
import type { TraceWindow } from '../../../components/chart/useTraceWindow';
import { useKeys } from '../../../components/keys/keys';
import { useNotice } from '../../../components/notices/notices';
import { groupDigits } from '../../../lib/ns';
import { problemOf } from '../../../lib/problem';
import type { TimelineState } from '../../../viewState/timeline';

/** Cells of all CPUs together: each is drawn. */
const MOST_CELLS = 24_000;
const LEAST_WIDTH = 60;

export interface Hits {
  /** What was counted in the window; nothing where there is no filter. */
  readonly counted: EventCountsRequest | undefined;
  /** Of the window, by CPU and cell. */
  readonly shown: Matches | undefined;
  /** `1,204 events match, 37 in view`; empty where there is no filter. */
  readonly text: string;
  /** Whether it is certain that nothing in the trace passes. */
  readonly hasNone: boolean;
  readonly find: (direction: 'later' | 'earlier') => void;
  readonly isFinding: boolean;
}

/** What the filter matches, in the window and in the whole trace, and the way from one match to the next. */
export function useHits(
  trace: Trace,
  { q, cpu, event }: Pick<TimelineState, 'q' | 'cpu' | 'event'>,
  { settled, domain, live }: TraceWindow,
  widthPx: number,
  onFound: (event: TraceEvent) => void,
): Hits {
  const say = useNotice();
  const [isFinding, setFinding] = useState(false);
  const isWanted = q !== '' && widthPx > 0;
  const cpuCount = Math.max(1, cpu.length || (trace.cpus?.length ?? 1));
  const width = Math.max(LEAST_WIDTH, Math.min(widthPx, Math.floor(MOST_CELLS / cpuCount)));
  const counted = { start: settled.start, end: settled.end, width, cpu, q };
  const shown = useMatches(trace.id, counted, isWanted);
  const isWhole = settled.start <= domain.start && settled.end >= domain.end;
  const beyond = useMatches(trace.id, { ...domain, width: 2, cpu, q }, isWanted && !isWhole);
  const all = isWhole ? shown : beyond;

  const find = async (direction: 'later' | 'earlier') => {
    const at = event?.t ?? (live.window.start + live.window.end) / 2;
    const from = direction === 'later' ? Math.floor(at) + 1 : Math.ceil(at);
    setFinding(true);
    try {
      const found = await findEvent(trace.id, { cpu, q }, from, direction);
      if (found) onFound(found);
      else say(direction === 'later' ? 'No later event matches.' : 'No earlier event matches.');
    } catch (error) {
      say(problemOf(error).detail ?? problemOf(error).title);
    } finally {
      setFinding(false);
    }
  };
  useKeys('Timeline', [
    { keys: ['n'], does: 'Next match of the filter', run: () => void find('later') },
    { keys: ['N'], does: 'Previous match of the filter', run: () => void find('earlier') },
  ]);
  return {
    counted: isWanted ? counted : undefined,
    shown,
    text: isWanted ? hitText(all, shown) : '',
    hasNone: isWanted && all?.count === 0 && all.isComplete,
    find: (direction) => void find(direction),
    isFinding,
  };
}

/** `1,204 events match, 37 in view`, and that there are more where counting has not ended. */
export function hitText(all: Matches | undefined, shown: Matches | undefined): string {
  if (all === undefined || shown === undefined) return 'counting …';
  const noun = all.count === 1 && all.isComplete ? 'event matches' : 'events match';
  return `${countText(all)} ${noun}, ${countText(shown)} in view`;
}

const countText = ({ count, isComplete }: Pick<Matches, 'count' | 'isComplete'>) =>
  isComplete ? groupDigits(count) : `at least ${groupDigits(count)}`;
