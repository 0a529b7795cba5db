import type { Clock } from './clock';
import { ns, type Ns } from './ns';

/**
 * The trace's own stamp of an instant, in seconds with all nine decimals: `14372.732649000`. The absolute start does
 * not fit a JavaScript number, so the sum is made of big integers.
 */
export function stampText(originNs: string, t: Ns): string {
  const stamp = BigInt(originNs) + BigInt(t);
  const size = stamp < 0n ? -stamp : stamp;
  const rest = (size % 1_000_000_000n).toString().padStart(9, '0');
  return `${stamp < 0n ? '-' : ''}${size / 1_000_000_000n}.${rest}`;
}

interface TimedTrace {
  readonly origin_ns: string | null;
  readonly time_origin: string | null;
}

/** The absolute start, where the file itself has stamps: derived times count from nothing that was ever printed. */
export function recordedOrigin({ origin_ns, time_origin }: TimedTrace): string | null {
  return time_origin === 'derived' ? null : origin_ns;
}

/** `2.160118900 s (stamp 14372.732649018)`: an instant from the trace's start, and the trace's own stamp where it has one. */
export function instantText(
  at: number,
  originNs: string | null,
  clock: Pick<Clock, 'instant' | 'stamp'>,
): string {
  const t = ns(Math.floor(at));
  const relative = clock.instant(t);
  return originNs === null ? relative : `${relative} (stamp ${clock.stamp(originNs, t)})`;
}

/** An instant of the calendar in the reader's time zone, to the minute: `2026-11-21 02:30`. Empty for what is no instant. */
export function formatWhen(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

function two(part: number): string {
  return part.toString().padStart(2, '0');
}
