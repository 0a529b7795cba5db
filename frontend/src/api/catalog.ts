import { queryOptions, useQuery } from '@tanstack/react-query';
import type { components } from './generated';
import { request } from './request';

type Catalog = components['schemas']['Catalog'];

/** What the server's version can read and find, asked once. */
export const catalogQuery = queryOptions({
  queryKey: ['catalog'],
  queryFn: () => request<Catalog>('/catalog'),
  staleTime: Infinity,
  gcTime: Infinity,
});

/** What a trace can be exported as; nothing until it is known. */
export function useExportFormats(): Catalog['exports'] | undefined {
  return useQuery({ ...catalogQuery, select: (catalog) => catalog.exports }).data;
}

const NO_TITLES: ReadonlyMap<string, string> = new Map();

/** What people call the analyses of this version, by their names; empty until it is known. */
export function useAnalysisTitles(): ReadonlyMap<string, string> {
  const catalog = useQuery({ ...catalogQuery, select: titlesOf });
  return catalog.data ?? NO_TITLES;
}

function titlesOf({ analyses }: Catalog): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  // The core writes the catalog, and the description of the API leaves its analyses open.
  for (const { name, title } of analyses) {
    if (typeof name === 'string' && typeof title === 'string') titles.set(name, title);
  }
  return titles;
}
