import { useQuery } from '@tanstack/react-query';
import type { components } from './generated';
import { request } from './request';

const NO_TITLES: ReadonlyMap<string, string> = new Map();

/** What people call the analyses of this version, by their names; empty until it is known. */
export function useAnalysisTitles(): ReadonlyMap<string, string> {
  const catalog = useQuery({
    queryKey: ['catalog'],
    queryFn: ({ signal }) => request<components['schemas']['Catalog']>('/catalog', { signal }),
    staleTime: Infinity,
    select: titlesOf,
  });
  return catalog.data ?? NO_TITLES;
}

function titlesOf({ analyses }: components['schemas']['Catalog']): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  // The core writes the catalog, and the description of the API leaves its items open.
  for (const { name, title } of analyses) {
    if (typeof name === 'string' && typeof title === 'string') titles.set(name, title);
  }
  return titles;
}
