import { useEffect, useState } from 'react';
import { laneStretch, type LaneStretch } from './laneRequest';
import type { TimeWindow } from './timeWindow';

const SETTLE_MS = 60;

/**
 * The stretch to load for what is in sight; follows a moving window only once it has rested for a moment. The first
 * width that is known counts at once.
 */
export function useLaneStretch(window: TimeWindow, domain: TimeWindow, width: number): LaneStretch {
  const wanted = laneStretch(window, domain, width);
  const [settled, setSettled] = useState<LaneStretch>();
  if (settled === undefined && width > 0) setSettled(wanted);
  const { start, end, width: columns } = wanted;
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ start, end, width: columns }), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [start, end, columns]);
  return settled ?? wanted;
}
