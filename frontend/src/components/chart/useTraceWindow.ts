import { useCallback, useMemo } from 'react';
import { ns, type Ns } from '../../lib/ns';
import { frameWindow, type TimeWindow } from './timeWindow';
import { useLiveWindow, type LiveWindow } from './useLiveWindow';

interface NsWindow {
  readonly start: Ns;
  readonly end: Ns;
}

type WriteWindow = (
  patch: { readonly window: NsWindow | undefined },
  change: { readonly history: 'push' | 'replace' },
) => void;

export interface TraceWindow {
  /** The whole trace. */
  readonly domain: TimeWindow;
  /** What the URL says. */
  readonly settled: TimeWindow;
  readonly live: LiveWindow;
  /** Fills the screen with a stretch and a little around it; as a part of the step before it where `replace` is said. */
  readonly frame: (stretch: TimeWindow, history?: 'push' | 'replace') => void;
}

/** The window of a page over a trace: it moves here and is written to the URL when it rests; none means all. */
export function useTraceWindow(
  durationNs: number | null,
  written: NsWindow | undefined,
  write: WriteWindow,
): TraceWindow {
  // Half-open, so the last record needs one nanosecond more than the duration.
  const domain = useMemo(() => ({ start: 0, end: (durationNs ?? 0) + 1 }), [durationNs]);
  // A link may name a stretch that this trace does not have.
  const settled = written && written.start < domain.end ? written : domain;
  const commit = useCallback(
    (next: TimeWindow, history: 'push' | 'replace') => {
      const isWhole = next.start <= domain.start && next.end >= domain.end;
      const window = { start: ns(Math.round(next.start)), end: ns(Math.round(next.end)) };
      write({ window: isWhole ? undefined : window }, { history });
    },
    [domain, write],
  );
  const live = useLiveWindow(settled, commit);
  const frame: TraceWindow['frame'] = ({ start, end }, history) =>
    live.jump(frameWindow(start, end, domain), history);
  return { domain, settled, live, frame };
}
