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

/** What people call things, by the names that the core gives them. */
type Titles = ReadonlyMap<string, string>;

const NO_TITLES: Titles = new Map();

/** What people call the analyses of this version, by their names; empty until it is known. */
export function useAnalysisTitles(): Titles {
  return useQuery({ ...catalogQuery, select: titlesOfAnalyses }).data ?? NO_TITLES;
}

/** What people call the formats that this version reads, by their names; empty until it is known. */
export function useFormatTitles(): Titles {
  return useQuery({ ...catalogQuery, select: titlesOfFormats }).data ?? NO_TITLES;
}

const titlesOfAnalyses = ({ analyses }: Catalog) => titlesOf(analyses);
const titlesOfFormats = ({ formats }: Catalog) => titlesOf(formats);

function titlesOf(items: readonly Readonly<Record<string, unknown>>[]): Titles {
  const titles = new Map<string, string>();
  // The core writes the catalog, and the description of the API leaves these open.
  for (const { name, title } of items) {
    if (typeof name === 'string' && typeof title === 'string') titles.set(name, title);
  }
  return titles;
}
