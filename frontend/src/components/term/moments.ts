import { queryOptions, useQuery } from '@tanstack/react-query';
import { meaningsOf } from './mechanisms';

const momentsQuery = queryOptions({
  queryKey: ['moments'],
  queryFn: async () => {
    const page = await import('../../../../docs/latencies.md?raw');
    return momentsOf(page.default);
  },
  staleTime: Infinity,
  gcTime: Infinity,
});

const NONE: ReadonlyMap<string, string> = new Map();

/** What happens at each moment between two stages, as the documentation words it; empty until it is known. */
export function useMoments(): ReadonlyMap<string, string> {
  return useQuery(momentsQuery).data ?? NONE;
}

/** The table of moments, which is one of several on its page. */
export function momentsOf(page: string): ReadonlyMap<string, string> {
  const [, table = ''] = /^\| moment \|.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
  return meaningsOf(table);
}
