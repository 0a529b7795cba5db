import type { QueryClient } from '@tanstack/react-query';
import { arrowsQuery } from '../../../api/arrows';
import type { TimeWindow } from '../../../components/chart/timeWindow';
import { arrowsOf, nearestArrow, type Arrow, type ArrowPlace, type ArrowSide } from './arrow';

/** What is looked through around the place at first, and by which factor more with each step, up to the whole trace. */
const FIRST_NS = 20_000;
const STEP = 10;
const MOST = 1000;

interface Follow {
  readonly traceId: string;
  readonly domain: TimeWindow;
  /** Kinds that are followed: `wakeup,timer`. */
  readonly kinds: string;
}

/** The nearest arrow that leads on from a place; nothing where none does. Most are found in the first stretch. */
export async function followArrow(
  client: QueryClient,
  { traceId, domain, kinds }: Follow,
  place: ArrowPlace,
  side: ArrowSide,
): Promise<Arrow | undefined> {
  const lane = place.pid === undefined ? { cpu: String(place.cpu ?? 0) } : { pid: String(place.pid) };
  const search = async (reach: number): Promise<Arrow | undefined> => {
    const start = Math.max(domain.start, place.start - (side === 'backward' ? reach : 0));
    const end = Math.min(domain.end, place.end + (side === 'forward' ? reach : 0) + 1);
    if (end <= start) return undefined;
    const answer = await client.fetchQuery(arrowsQuery(traceId, { start, end, ...lane, kinds, limit: MOST }));
    const found = nearestArrow(arrowsOf(answer), place, side);
    const isAll = side === 'backward' ? start <= domain.start : end >= domain.end;
    return found ?? (isAll ? undefined : search(reach * STEP));
  };
  return search(FIRST_NS);
}
