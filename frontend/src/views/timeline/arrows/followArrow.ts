import type { QueryClient } from '@tanstack/react-query';
import { arrowsQuery } from '../../../api/arrows';
import { arrowsOf, nearestArrow, type Arrow, type ArrowPlace, type ArrowSide } from './arrow';
import { selectionRequest } from './useArrows';

interface Follow {
  readonly traceId: string;
  /** Kinds that are followed: `wakeup,timer`. */
  readonly kinds: string;
}

/** The nearest of the arrows that are listed for a place; nothing where none is. */
export async function followArrow(
  client: QueryClient,
  { traceId, kinds }: Follow,
  place: ArrowPlace,
  side: ArrowSide,
): Promise<Arrow | undefined> {
  const answer = await client.fetchQuery(arrowsQuery(traceId, { ...selectionRequest(place), kinds }));
  return nearestArrow(arrowsOf(answer), place, side);
}
